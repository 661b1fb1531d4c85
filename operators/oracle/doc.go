// Package oracle is the batch algorithm of DustBuster (Bar-Yossef, Keidar,
// Schonfeld: Do Not Crawl in the DUST, WWW 2007), figures 1 and 2, written down
// as plainly as can be. Tests compare the online engine with it, and benchmarks
// show what the engine saves. Nothing else may import it: it keeps every
// substring of every URL in a table and computes each answer from nothing.
//
// # The algorithm
//
// A URL is cut into tokens: runs of alphanumeric characters, single other
// characters, and the special tokens ^ before and $ after it. An escape (% and two
// hexadecimal digits) is one character, and alphanumeric if it is that of a letter
// or digit of ASCII, or of a byte from 0x80 up. An envelope is
// what surrounds a substring α of a URL p α s: the pair (p, s). The bucket of an
// envelope holds every α that it surrounds in some URL of the list.
//
// Figure 1 ([Group], [Buckets.Supports], [Likely]) puts every substring of 0 to
// S tokens into the bucket of its envelope; for every bucket of 2 to T members
// and every two members α, β whose pages are likely similar, one envelope more
// speaks for the pair α, β. Pairs with enough of them are likely rules.
//
// Figure 2 ([Refine]) takes a likely rule out of the list when another of nearly
// the same support says the same with more context (lemma 5.3, [Refines]).
//
// # What the paper leaves open
//
//   - Both thresholds of bucket size are counted in one pass: Support up to
//     BucketLow decides what is likely, High up to BucketHigh is the size in
//     figure 2.
//   - The size of a bucket is tested before similarity, as figure 1 line 13 is
//     printed. So a bucket overflows by dissimilar members too.
//   - Envelopes are counted and not pairs of URLs. By theorem 4.1 that is the
//     same where both sides are neither empty nor semiperiodic; elsewhere the
//     count is the larger.
//   - The order of the list, on which figure 2 depends, is [Compare].
//   - Occurrences in lemma 5.3 lie on token boundaries, in both sides.
//
// # Test worlds
//
// [SmallWorlds] yields every URL list of a small world, [Random] draws lists
// full of corners, [Site] and [Hits] make sites and traffic of the shape of real
// ones at any size. [Window] is the plain form of the table's fold by panes.
package oracle
