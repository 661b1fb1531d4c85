// Package labelled makes candidates of the duplicates that a file names (package labels), where the log has their URLs.
//
// The URLs that the rows of a file join, directly or by other rows, are a set: pages with one label. A label is taken for
// the digest of the page's content, so the learners that look at a window (equal, drops, kinds) find rules among the
// labelled pages of the log as they do among pages with digests. Pages of two sets differ, and so do pages that name
// themselves.
//
// A label is no evidence about the pages: the rules are weighed by the log, and tried, like all others. Support and
// Comparable count labels.
package labelled
