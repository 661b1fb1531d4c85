// Package kinds finds rules on the syntax of URLs that edit a whole site: forms of syntax,
// the order of parameters, parameters in the path, parameters whose names are themselves
// values, and sessions in the path.
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
//	segment    a segment that is a value (/s/7f3a9c21/catalog/7) is cut out of the path, alone or
//	           with the segment before it. The URLs, with evidence or not, have at least 10
//	           different values of the class behind one beginning. Of digits, years and other
//	           dates do not count (4, 6 or 8 digits from 19 or 20 on), and of hex numbers
//
// For a page u that R changes, R(u) is the URL after one application. If R(u) is a page,
// the two are a pair. For order, path, pattern and segment, the pages that R changes to one URL that is no
// page form a group, and each member and the first member in byte order are a pair. The
// support of R is the number of similar pairs; comparable are the pairs whose evidence can
// be compared. R is likely if its support is at least MinSupport, and at least four in
// five comparable pairs are similar; of a segment, if the similar pairs have at least MinSupport
// different R(u), since one page may be the same for every user or item.
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
// a pass over them; so are the beginnings of paths before a segment. O(bytes) for each rule that can change a URL, at most 18 patterns for a
// name.
package kinds
