// Package canon turns URLs into their canonical forms, by rules that were found
// valid (DustBuster, WWW 2007, section 6, "canonization"). It is what a crawler
// imports: everything in it is immutable once made, so any number of goroutines
// may use one [Sites] or [Canonizer], and newer rules are a new one.
//
// # Meaning
//
// A round applies every rule of an ordered list once, in list order, each to
// what the one before left ([Rule.Apply]). Rounds are repeated until one changes
// nothing, at most ten. A URL that has not settled then, or has grown beyond
// 2,048 bytes on the way, is its own canonical form: anything else would depend
// on where one gives up. So C(C(u)) = C(u) for all rules and URLs, and what is
// left to ask of a list is that URLs settle ([Canonizer.Unsafe]).
//
// Mined strings are edited byte for byte. A substring is replaced where both of
// its ends lie on token boundaries; To needs none, so tokens may grow together. Where
// To stands already, the From within it is not replaced: ^/ -> ^/print/ would else
// never come to rest, and say of /print/a that it is /print/print/a. Nor is a From
// whose edit would leave a path without the slash that it begins with.
//
// # Structure
//
// Most rules do not touch most URLs. Each rule has a trigger, a text that stands
// in every URL it changes, on token boundaries: what it replaces, the name of
// its parameter, or a member of its scope; of these the one that the fewest
// rules share, so that a thousand drops of one name on a thousand paths are told
// apart by path. ^ and $ are part of it where it is anchored.
//
//	rules ── rarest ──> triggers ── letters ──> automaton
//	                                               │ scan
//	   URL ────────────────────────────────────────┴──> found: candidates by rank
//	    ^                                                 │ next
//	    └───────────────── Rule.Apply <───────────────────┘
//
// One automaton (Aho and Corasick 1975) finds all triggers in one pass. It reads
// letters of up to eight bytes: a token, or a piece of a long one with marks
// that say whether the token goes on at either end. As a letter is a number that
// is equal to another only if the text is, nothing has to be compared after a
// hit, and boundaries are not looked at again. A trigger is necessary and need
// not suffice: Rule.Apply has the last word, so a wrong candidate costs time
// only.
//
// The least candidate is applied; if the URL changed, it is scanned anew and the
// next greater rank is taken, so each rule sees just what the list order gives
// it. The last scan of a round serves the next one. That is exact, and the plain
// loop over all rules is the oracle of the tests. A URL that was scanned 64 times
// is finished by the plain loop itself, which bounds what hostile rules can do.
//
// # Cost
//
// A scan is O(bytes of the URL + triggers that stand in it), and a canonical
// form takes one scan and one more for each edit. At worst, for rules written to
// harm, it is the plain loop: MaxRounds times all rules. Nothing is allocated but
// for a result that the caller's buffer has no room for. Compiling is linear in
// the bytes of the rules.
//
// Measured with go test -bench . on a 2-core EPYC that did other work beside it
// (the best of 60 short runs), per URL. Synthetic rules take tokens out of a
// generated site's URLs (31 to 75 bytes), one in ten drops a parameter on a path;
// real ones are all those mined from a log, by which nearly all of its URLs
// change.
//
//	rules            no edit  with edits    edits  plain loop, no edit
//	10               0.17 µs  0.61 µs       1.7    0.30 µs
//	100              0.19 µs  0.71 µs       1.7    2.9 µs
//	1,000            0.20 µs  0.97 µs       2.1    25 µs
//	10,000           0.15 µs  1.5 µs        2.6
//	docs, 947                 0.82 µs       4.9
//	gitweb, 329               1.4 µs        2.3    (107 bytes a URL)
//
// To read the address and find its site takes 0.1 µs more ([Sites.Canonical]),
// and the new string 0.1 µs.
//
// A thousand rules take 0.47 MB beside their texts, a third of that for the rules
// themselves, and compile in 1 ms; a hundred thousand 35 MB and 0.2 s. A list is
// bounded by 131,072 rules, 16 MiB of text and 2^20 states: 80 MB and 0.4 s for
// the most states.
//
// # Rejected
//
//   - A dense automaton over bytes, for the same triggers: a scan takes 0.14 µs
//     for 100 rules (this one: 0.20), 0.28 for 1,000 (0.30), and 0.75 for 10,000
//     (0.52), since its table has 0.5, 5 and 43 MB (32 KB, 256 KB, 2 MB).
//   - Edges in a table up to half full: 15 % slower than a quarter.
//   - An array for the root's edges of one byte: no difference.
//   - Candidates in a sorted array of 32: a fifth slower at 1,000 rules.
//   - All rules of a site in one automaton by what they edit only: rules for many
//     paths or values that edit the same parameter would all be tried.
//   - Scanning anew only from the edit on: not tried; it could save less than
//     half of each scan after an edit, and candidates would need their places.
package canon
