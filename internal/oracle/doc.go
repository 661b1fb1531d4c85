// Package oracle is the batch algorithm of DustBuster (Bar-Yossef, Keidar, Schonfeld: Do
// Not Crawl in the DUST, WWW 2007), figures 1 and 2, written as plainly as possible.
// Tests compare the online engine with this package, and benchmarks measure the savings
// of the engine. Nothing else may import this package: it keeps every substring of every
// URL in a table and computes each answer from nothing.
//
// # The algorithm
//
// A URL is split into tokens: runs of alphanumeric characters, single other characters, and the
// special tokens ^ before and $ after the URL. An escape (% and two hexadecimal digits) is one
// character. An escape is alphanumeric if the escaped byte is a letter or digit of ASCII, or is
// at least 0x80. An envelope is the surrounding of a substring α in a URL p α s: the pair (p,
// s). The bucket of an envelope holds every α that it surrounds in some URL of the list.
//
// Figure 1 ([Group], [Buckets.Supports], [Likely]) puts every substring of 0 to S tokens
// into the bucket of its envelope. In every bucket of 2 to T members, each two members α,
// β whose pages are likely similar add one envelope to the support of the pair α, β.
// Pairs with enough support are likely rules.
//
// Figure 2 ([Refine]) removes a likely rule from the list if another of nearly equal support
// says the same with more context (lemma 5.3, [Refines]).
//
// # Choices that the paper leaves open
//
//   - Both thresholds of bucket size are counted in one pass: Support up to
//     BucketLow decides whether a rule is likely, High up to BucketHigh is the size
//     in figure 2.
//   - The size of a bucket is tested before similarity, as figure 1 line 13 is
//     printed. So dissimilar members make a bucket overflow too.
//   - Envelopes are counted, and not pairs of URLs. By theorem 4.1 both counts are
//     equal if neither side is empty or semiperiodic. Otherwise the count of
//     envelopes is larger.
//   - The order of the list, on which figure 2 depends, is [Compare].
//   - In lemma 5.3, α or β is looked for in the first side of the refining pair, on token
//     boundaries. The result is compared with the second side as bytes. There γ and δ may
//     join a token: a%2Bb ↔ ab refines %2B ↔ "".
//
// # What people see
//
// [History], [Choose] and [Rows] judge likely rules whose weights are known: which of them
// people see, in which order, and in which rows.
//
// # Test worlds
//
// [SmallWorlds] yields every URL list of a small world. [Random] draws lists full of
// corner cases. [Site] generates sites of realistic shape at any size. [Window] is the
// plain form of the table's fold by panes.
package oracle
