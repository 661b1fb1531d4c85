// Package canon turns URLs into their canonical forms, by validated rules (DustBuster,
// WWW 2007, section 6, "canonization"). Crawlers import this package. A [Sites] and a
// [Canonizer] are immutable, so any number of goroutines may use the same value. New
// rules need a new value.
//
// # Meaning
//
// A round applies every rule of an ordered list once, in list order, each to the result
// of the rule before ([Rule.Apply]). Rounds are repeated until a round changes nothing,
// at most ten times. If a URL has not settled then, or has grown beyond 2,048 bytes, it
// is its own canonical form: any other result would depend on the number of rounds. So
// C(C(u)) = C(u) for all rules and URLs. A good list must also let URLs settle
// ([Canonizer.Unsafe]).
//
// Mined strings are edited byte for byte. A substring is replaced if both of its ends lie
// on token boundaries. The ends of To need not, so tokens may grow together. A From
// within an existing To is not replaced. Otherwise ^/ -> ^/print/ would turn /print/a
// into /print/print/a, and so on without end. A From is not replaced either if the edit
// would remove the slash at the beginning of the path.
//
// # Structure
//
// Most rules do not touch most URLs. Each rule has a trigger, a text that stands on token
// boundaries in every URL that the rule changes: the replaced text, the name of the
// parameter, or a member of the scope. The trigger is the text that the fewest rules
// share, so drops of one name on many paths are distinguished by path. The trigger of an
// anchored rule includes ^ or $.
//
//	rules ── rarest ──> triggers ── letters ──> automaton
//	                                               │ scan
//	   URL ────────────────────────────────────────┴──> found: candidates by rank
//	    ^                                                 │ next
//	    └───────────────── Rule.Apply <───────────────────┘
//
// One automaton (Aho and Corasick 1975) finds all triggers in one pass. The automaton
// reads letters of up to eight bytes: a token, or a piece of a long one with marks that
// say whether it continues at either end. Two letters are equal as numbers only if their
// texts are equal, so a hit needs no further comparison of texts or boundaries. A trigger
// is necessary but need not suffice. Rule.Apply decides, so a wrong candidate only costs
// time.
//
// The candidate with the least rank is applied. If the URL changed, it is scanned again
// and the next greater rank is taken. So each rule is applied exactly as in list order.
// The last scan of a round serves the next round. The result is exact, and the plain loop
// over all rules is the oracle of the tests. After 64 scans of a URL the plain loop
// itself finishes the URL, which bounds the cost of hostile rules.
//
// # Cost
//
// A scan is O(bytes of the URL + triggers in the URL), and a canonical form takes one
// scan and one more for each edit. At worst, for hostile rules, the cost is that of the
// plain loop: MaxRounds times all rules. Canon allocates only for a result that does not
// fit the caller's buffer. Compiling is linear in the bytes of the rules.
//
// Measured with go test -bench . on a 2-core EPYC beside other load (best of 60 short
// runs), per URL. Synthetic rules remove tokens from a generated site's URLs (31 to 75
// bytes), and one in ten drops a parameter on a path. The real rules are all rules mined
// from a log, and change nearly all of its URLs.
//
//	rules            no edit  with edits    edits  plain loop, no edit
//	10               0.17 µs  0.61 µs       1.7    0.30 µs
//	100              0.19 µs  0.71 µs       1.7    2.9 µs
//	1,000            0.20 µs  0.97 µs       2.1    25 µs
//	10,000           0.15 µs  1.5 µs        2.6
//	docs, 947                 0.82 µs       4.9
//	gitweb, 329               1.4 µs        2.3    (107 bytes a URL)
//
// [Sites.Canonical] also reads the address and finds the site, which takes 0.1 µs, and
// makes the new string, which takes 0.1 µs.
//
// A thousand rules take 0.47 MB beside their texts, a third of this memory for the rules
// themselves, and compile in 1 ms. A hundred thousand rules take 35 MB and 0.2 s. The rules of a
// site are bounded by docs/rules.md, 16 MiB, and the automaton by 2^20 states: 80 MB and 0.4 s for
// the most states. Rules whose triggers find no room are tried on more URLs, at worst on all.
//
// # Rejected
//
//   - A dense automaton over bytes, for the same triggers: a scan takes 0.14 µs for
//     100 rules (this automaton: 0.20), 0.28 for 1,000 (0.30), and 0.75 for 10,000
//     (0.52), since its table has 0.5, 5 and 43 MB (32 KB, 256 KB, 2 MB).
//   - Edges in a table up to half full: 15 % slower than a quarter.
//   - An array for the root's edges of one byte: no difference.
//   - Candidates in a sorted array of 32: a fifth slower at 1,000 rules.
//   - All rules of a site in one automaton by their edited text only: all rules for
//     many paths or values that edit the same parameter would be tried.
//   - Scanning again only from the edit on: not tried. The saving is at most half of
//     each scan after an edit, and candidates would need their places.
package canon
