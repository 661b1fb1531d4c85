// Package drops finds parameters that do not seem to matter in a part of a site: one name
// or several, or one value of a name, under a path that may have a wildcard and under at most
// two conditions. Package params keeps simpler rules current at every moment. This package
// looks at a whole list of pages now and then.
//
// # Definitions
//
// Path, query, piece and parameter are those of package query. A page without a size or
// digest, or with more than 32 pieces, is in no group.
//
//	target    what a drop removes from a URL: each of its names n; each two of its names
//	          {n, m}, if it has at most 8, and with these the sets of 3 to 6 names that are
//	          all names of one set of URLs (see together), or such names, two or more, and
//	          one name more; each own value n=v, if n has at most 40 distinct values over
//	          all URLs, and if the URL without its pieces n=v is a page
//	together  names that occur on the same URLs, of those that can be in groups: campaign
//	          parameters, of which no two alone lead to another page of the list
//	rest      a URL without its target
//	group     the URLs with one target and one rest. Where two names have a group, the
//	          groups of each of the two names with the same rest are part of it; of a set
//	          with one name more, those of this name and of the names that come together
//	base      the rest, if it is a page; else the first member in byte order
//	pair      a member other than the base, and the base, if their evidence can be compared
//	scope     a path: any, the rest's, or the rest's with one segment "*"; and up to two
//	          conditions on different names: m=v, or m with any value, among the rest's
//	          pieces name=value
//
// A group of one URL, the base included, does not count. A segment stands between two
// slashes and is not empty. Wildcards need a path of at most 8 slashes; a path with a
// segment that itself reads "*" is only in scopes of any path. A condition m=v needs a
// name m of at most 40 values. Two conditions need a rest whose values have at most 6
// names. A scope with a wildcard exists only if its groups have several paths.
//
// The support of a rule is the number of similar pairs in the groups of its scope. A rule
// is likely if its support is at least MinSupport, and at least four in five of its pairs
// are similar. For several names, the same must hold of each name, among the pairs that have
// different pieces of that name.
//
// A scope is wider than another if its path is the same or matches the other path, and if
// each of its conditions follows from one of the other's. A likely rule is listed unless a
// wider scope of its target is likely; and, for several names, unless each is likely in the
// same or a wider scope, by itself or in a target of fewer of the names; and, for an own
// value, unless its name is. The list is in the order of support, then of fewer names, fewer
// demands, and a line of JSON.
//
// # Algorithm
//
// Each kind of target is one pass over the pages, which makes an entry for each target of
// each URL: a hash of the rest, and the rest's page. Sorted entries are groups, and the
// groups of a target lie together (fold.go). Own values of names that are likely
// everywhere are left out, and targets of such names alone. So are own values without the
// rest, before they are entries. Targets of several names are learned a share at a time to
// bound the memory, and of those of three and more names the first 65,536.
//
// Most targets end there: their support on the whole site is too low, or they are likely
// on the whole site. For the others, scopes are counted from wide to narrow (level.go), as
// frequent item sets are: a scope is counted only where its wider scopes have support and
// are not likely.
//
//	level 1   a path; a condition
//	level 2   a path and a condition; two conditions
//	level 3   a path and two conditions
//
// A group is identified by 64 bits under a key drawn anew by each call, so nobody can
// write a log whose rests collide. Whether a rest is a page is looked up by its text.
//
// # Cost
//
// O(bytes) for each target of each URL, and O(entries * log entries) to sort. A URL of k
// names has k targets of one name, at most 28 of two, 28 of more, and 32 own values. A group lies
// in at most 9 paths times 1 + 2k single conditions, and with few names also in pairs of them.
// Two names whose rest is no page cost the members of each name's group once more, so a
// hostile log can cost the product. The function stop bounds that.
package drops
