// Package params finds parameters that seem to mean nothing, online.
//
// The substring rules of DustBuster (WWW 2007, figure 1) are blind to a
// parameter of many values, since the bucket of its URLs overflows; and that is
// just the session, the return address, the sort order. The paper finds such
// rules "through the standard syntax of parameters" and leaves the how to a
// longer draft. This package is our how.
//
// # Definitions
//
// The path of a URL ends before its first '?'; the query follows and falls into
// pieces at each & and ;. A piece is a parameter, name=value or a bare name; a
// piece without a name is none, and stays.
//
//	n         a parameter's name
//	rest      a URL without its parameters n; each takes the separator after it
//	          along, the last piece the one before it, the last byte of the query
//	          the '?'
//	group     (n, rest): the URLs that hold n and have this rest (the holders),
//	          and the URL that is the rest, if it is in the list
//	scope     (1) the site; (2) a path; (3) any path with m=v; (4) a path with m;
//	          (5) a path with m=v; m, v over the parameters of the rest
//
// A URL is a holder in one group for each of its names, and the rest of any
// number of others:
//
//	/p?a=1&n=7 ──┬─ (n, /p?a=1) ─── /p?a=1&n=8     holders
//	             │       └───────── /p?a=1         the rest
//	             └─ (a, /p?n=7)
//
// Members are the URLs of which something is known: a size, or one digest. A
// URL of more than MaxParams parameters is in no group; its values count all the
// same, since it is in the list.
//
// Each two members are put to the test of urllist.Similarity: digests, if both
// have one, decide for the two alone; else sizes, in every class that both have.
// Mixed digests are none. A group is comparable if some two members can be
// tested, and similar if all that can be pass. The measure of a gap in sizes is
// the largest size of the whole group in that class, so that without digests
// this is
//
//	max(largest min - smallest max, 0) <= t * largest max
//
// in every class that two members share. With Similarity.Off every URL is a
// member, sizes known or not, and every group of two is comparable and similar.
//
// A comparable group counts once in every scope that it lies in; by value (3, 5)
// only if m has at most MaxValues distinct values over all URLs of the list.
// drop(n, scope) is likely if at least MinSupport groups of the scope are
// similar, and nine in ten of the comparable ones. It is listed unless a wider
// scope of n is likely.
//
// The law: whenever [Index.Likely] is read, it is what the above gives, computed
// from nothing, for the list as it is. So it depends on no order of events.
//
// # Structure
//
// Nothing but hashes and numbers is kept of a group: n and rest are read off the
// text of any holder. A holder is a node, and a URL's nodes stand in a row in
// the order of its names, so a node's place in the row says which name is n.
//
//	rows[url] ─> node node node      16 bytes each: group, URL, circle
//	                │
//	byKey ───────> group             24 bytes: 64-bit hash of (n, rest), hash of
//	byRest ──────>   │               rest, state, one node, chain
//	                 └─ other groups under the same hash of rest
//
// byKey finds the group that a URL joins as a holder. byRest finds the groups
// that it joins as the rest. Events only mark groups as dirty; reading settles:
// each dirty group is folded anew and, if its state (none, comparable, similar)
// is another than the one counted, the difference goes to its scopes' counters.
// Only a group that loses its last holder is taken back at once, because its
// name goes with that URL's text. Counters at or above the thresholds are held
// in a set, so reading never walks all counters.
//
// Distinct values are followed for a parameter m only while a comparable group
// has it, with a value, in its rest (file values.go). Up to trackedFactor times
// MaxValues they are counted one by one. Beyond, only a floor is kept, lowered by
// each value that leaves; when it falls to MaxValues the list is counted anew.
// Counters by value exist up to countedFactor times MaxValues, so that a
// parameter at the limit costs nothing; which of them count is asked at reading.
//
// Invariants, all of them walked by [Index.Check]:
//
//   - A URL with evidence and at most MaxParams parameters has a node for each
//     distinct name, in the group of that name and rest; no other nodes are.
//   - The counters are the sums over all groups of the state last counted, and
//     that is the true state of every group that is not dirty.
//   - A word (name, path, value) lives as long as a counter that speaks of it.
//   - Values counted are the list's; a floor is never above the true number.
//
// A group's identity is a keyed 64-bit hash, and real bytes are not compared:
// among the 3 million groups of a site of a million URLs, two are mistaken for
// one with a probability of 2.4e-7 (n²/2⁶⁵), and as the key is drawn anew in each
// process nobody can write a log to raise it. Where a rest stands in the list is
// always asked of the list itself. The hash of a value has 64 bits too.
//
// # Cost
//
// For a URL of b bytes and k distinct names:
//
//	Enter         O(b·k), four or five cache misses for each name
//	Leave         O(b + k), and O(b·k) for groups that end
//	Change        O(k), and a mark for each group whose rest the URL is
//	Likely        O(members of the dirty groups) + O(l log l), l likely counters
//	              before the filter of wider scopes; O(1) if nothing changed
//	              + one pass over the list when a parameter is new in the rests
//	              of comparable groups, or many values may have become few
//	              + one pass over the groups when they have
//
// Measured with go test -bench . on a busy 2-core EPYC (other work beside it; the
// best of some runs), on a generated site of wiki and gitweb URLs, 3 parameters:
//
//	             Enter   with settling   heap per URL
//	10^4 URLs   0.9 µs        1.4 µs         261 B
//	10^5 URLs   1.2 µs        2.0 µs         226 B
//	10^6 URLs   1.5 µs        2.6 µs         195 B   (210 B if no two share a rest)
//
// A pass over 10^6 URLs takes 0.14 s. One change in a group of 10^5 costs its
// reading 0.7 ms. A hostile URL of 32 parameters makes 32 groups, about 2 KiB,
// and counters (95 each at most) only for those that are comparable.
//
// # Rejected
//
//   - Extremes kept with the group (largest min, smallest max), to settle on the
//     spot: 24 bytes more a group of which most have one member; an extreme that
//     leaves asks for the fold anyway, and a page that grows while its sessions
//     expire loses an extreme each time, which is quadratic. Folding at reading
//     costs 7 ns a member.
//   - Members in vectors, searched when one leaves: quadratic where a million
//     sessions share a rest. Circles of nodes cost 4 bytes more and are O(1).
//   - One table, by rest, with its groups in a chain: walks of a million steps
//     when a log names a million parameters at "/".
//   - Values of every parameter followed from the start: a table entry for each
//     of the 130 parameters that 400 tokens can hold, none of which may ever
//     meet a comparable group.
//   - Reading the places of all names in both tables ahead, so that the misses
//     overlap: no difference (1.8 µs against 1.5 without, best of five at 10^6).
//     The processor overlaps them by itself.
//
// What set(n, v0, scope) will need, the values that most URLs hold, is to be read
// off the holders of the groups in its scope; nothing here stands in its way.
//
// The package is pure and belongs to the goroutine that owns the list.
package params
