// Package labels reads tables of URLs with the canonical URL of each: exports of Search Console's inspections and of
// Screaming Frog, and any table of two columns.
//
// A label is somebody's word about two URLs: that of the site's own pages, or that of a search engine. It is a hint
// where to look, and no evidence.
//
// The columns are found by their names, in any case and order. Without names, the first two columns count.
//
//	URL                          canonical URL, the first that names one counts
//	Address, URL, Page, Adresse  Google-selected canonical, User-declared canonical,
//	                             Canonical Link Element 1, HTTP Canonical 1, Canonical
//
// Fields are separated by commas, semicolons or tabs, and may be quoted. The text is UTF-8 or UTF-16, as spreadsheets
// write it. A canonical URL may be relative to its URL. A URL may be a path: then the file names no host.
package labels
