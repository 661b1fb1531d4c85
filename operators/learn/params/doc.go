// Package params finds parameters that do not seem to matter, online.
//
// The substring rules of DustBuster (WWW 2007, figure 1) miss a parameter of many values,
// since the bucket of its URLs overflows. Session identifiers, return addresses and sort
// orders are such parameters. The paper finds rules for these "through the standard
// syntax of parameters" and leaves the algorithm to a longer draft. This package is our
// algorithm.
//
// # Definitions
//
// The path of a URL ends before the first '?'. The query follows, and splits into pieces
// at each & and ;. A piece is a parameter, name=value or a bare name. A piece without a
// name is not a parameter and is never removed.
//
//	n         a parameter's name
//	rest      a URL without its parameters n; each is removed with the separator
//	          after it, the last piece with the separator before it, and the
//	          last byte of the query with the '?'
//	group     (n, rest): the URLs that hold n and have this rest (the holders),
//	          and the URL that is the rest, if it is in the list
//	scope     (1) the site; (2) a path; (3) any path with m=v; (4) a path with m;
//	          (5) a path with m=v; m, v over the parameters of the rest
//
// A URL is a holder in one group for each of its names, and the rest of any number of
// other groups:
//
//	/p?a=1&n=7 ──┬─ (n, /p?a=1) ─── /p?a=1&n=8     holders
//	             │       └───────── /p?a=1         the rest
//	             └─ (a, /p?n=7)
//
// Members are the URLs with evidence: a size, or one digest. A URL of more than MaxParams
// parameters is in no group. Its values still count, since the URL is in the list.
//
// The test of evidence.Similarity is applied to every two members. If both have a digest,
// the digests decide for the two alone. Otherwise sizes decide, in every class that both
// have. A mixed digest counts as no digest. A group is comparable if at least two members
// can be tested, and similar if every test passes. A gap in sizes is measured against the
// largest size of the whole group in that class, so without digests the test is
//
//	max(largest min - smallest max, 0) <= t * largest max
//
// in every class that two members share. With Similarity.Off every URL is a member, sizes
// known or not, and every group of two is comparable and similar.
//
// A comparable group counts once in every scope of its rest. Scopes by value (3, 5) count
// only if m has at most MaxValues distinct values over all URLs of the list. drop(n,
// scope) is likely if at least MinSupport groups of the scope are similar, and at least
// nine in ten of the comparable groups are similar. A likely drop is listed unless a
// wider scope of n is likely.
//
// The law: [Index.Likely] always equals these definitions computed from nothing over the
// current list. So the result does not depend on the order of events.
//
// # Structure
//
// The index stores only hashes and numbers of a group. n and rest are read from the text
// of any holder. A holder is a node. A URL's nodes stand in a row in the order of its
// names, so a node's place in the row identifies n.
//
//	rows[url] ─> node node node      16 bytes each: group, URL, circle
//	                │
//	byKey ───────> group             24 bytes: 64-bit hash of (n, rest), hash of
//	byRest ──────>   │               rest, state, one node, chain
//	                 └─ other groups under the same hash of rest
//
// byKey finds the group of a URL as a holder, byRest its groups as the rest. Events only mark
// groups as dirty, and reading settles them: each is folded again, and the difference to its
// counted state (none, comparable, similar) goes to the counters of its scopes. Only a group
// that loses its last holder is subtracted at once, because its name is lost with the text.
// Counters at or above the thresholds are kept in a set, so reading never walks all counters.
//
// Distinct values are tracked for a parameter m only while the rest of a comparable group
// has m with a value (file values.go). Up to trackedFactor times MaxValues of them are
// counted. Beyond that, only a lower bound is kept, the floor, which each value that leaves
// lowers. At MaxValues the list is recounted. Counters by value exist up to countedFactor
// times MaxValues values, so that a parameter at the limit costs nothing, and reading decides
// which of them count.
//
// Invariants, all checked by check_test.go:
//
//   - A URL with evidence and at most MaxParams parameters has a node for each
//     distinct name, in the group of that name and rest. There are no other nodes.
//   - The counters are the sums over all groups of the state last counted. That
//     state is the true state of every group that is not dirty.
//   - A word (name, path, value) exists as long as a counter refers to it.
//   - Counted values are the values of the list. A floor is never above the true
//     number.
//
// A group is identified by a keyed 64-bit hash, and so is a value. Among the 3 million groups
// of a site of a million URLs, two are confused with a probability of 2.4e-7 (n²/2⁶⁵). The
// key is drawn in each process, so nobody can write a log to raise it. Whether a rest is in
// the list is always looked up there.
//
// # Cost
//
// For a URL of b bytes and k distinct names:
//
//	Enter         O(b·k), four or five cache misses for each name
//	Leave         O(b + k), and O(b·k) for groups that end
//	Change        O(k), and a mark for each group whose rest is the URL
//	Likely        O(members of the dirty groups) + O(l log l), l likely counters
//	              before the filter of wider scopes; O(1) if nothing changed
//	              + one pass over the list when a parameter is new in the rests
//	              of comparable groups, or many values may have become few
//	              + one pass over the groups when the values have become few
//
// Measured with go test -bench . on a 2-core EPYC (best of several runs beside other
// load), on a generated site of wiki and gitweb URLs with 3 parameters:
//
//	             Enter   with settling   heap per URL
//	10^4 URLs   0.9 µs        1.4 µs         261 B
//	10^5 URLs   1.2 µs        2.0 µs         226 B
//	10^6 URLs   1.5 µs        2.6 µs         195 B   (210 B if no two share a rest)
//
// A pass over 10^6 URLs takes 0.14 s. Reading after one change in a group of 10^5 costs
// 0.7 ms. A hostile URL of 32 parameters makes 32 groups, about 2 KiB.
//
// # Rejected
//
//   - Extremes kept with the group, to settle at once: 24 bytes more per group, although most
//     groups have one member, and quadratic if a page grows while its sessions expire.
//     Folding at reading costs 7 ns a member.
//   - Members in vectors, searched when a member leaves: quadratic if a million sessions
//     share a rest. Circles of nodes cost 4 bytes more and are O(1).
//   - One table, by rest, with its groups in a chain: a walk of a million steps for a log that
//     names as many parameters at "/".
//   - Values of every parameter tracked from the start: entries for names that never meet a
//     comparable group.
package params
