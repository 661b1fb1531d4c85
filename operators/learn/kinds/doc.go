// Package kinds finds rules on the syntax of URLs that edit a whole site: forms of syntax,
// the order of parameters, parameters in the path, and parameters whose names are
// themselves values.
//
// # Definitions
//
// A page is a URL of the list with a size or one digest. R is one of these rules:
//
//	form       each of the forms of package rule: slashes, empty-query, and so on
//	order      the parameters of the query are sorted by name
//	path       the parameters of one name are dropped from the segments of the path (;n=v)
//	pattern    the parameters of a pattern of names are dropped (?1795167958, ?v83120): a
//	           prefix of at most 8 bytes, and digits or hexadecimal digits behind the
//	           prefix. The URLs, with evidence or not, have at least 20 different names of
//	           the pattern
//
// For a page u that R changes, R(u) is the URL after one application. If R(u) is a page,
// the two are a pair. For path and pattern, the pages that R changes to one URL that is no
// page form a group, and each member and the first member in byte order are a pair. The
// support of R is the number of similar pairs; comparable are the pairs whose evidence can
// be compared. R is likely if its support is at least MinSupport, and at least four in
// five comparable pairs are similar.
//
// Names match several patterns of a class: 1795167958 has the prefixes "", "1", "17" and
// so on. A pattern is left out if each of its names in the list is also a name of a likely
// pattern of the same class with a shorter prefix.
//
// The list is in the order of support, then of the lines of JSON.
//
// # Cost
//
// One pass over the pages for each form and for order. The names of path parameters and
// patterns are sorted, so that the pages of one rule lie together, and each prefix length is
// a pass over them. O(bytes) for each rule that can change a URL, at most 18 patterns for a
// name.
package kinds
