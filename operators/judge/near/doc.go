// Package near finds all pairs of near-duplicate documents among many, without comparing
// all pairs.
//
// Two documents are near-duplicates if the resemblance of their sketches
// ([dustbuster/operators/judge/sketch]) is at least a threshold. A cluster is a set of documents
// connected by such pairs. The lecture "Crawling the Web" (CS345) gives the outline: write
// a few keys for each document, sort the keys, compare the documents that share a key, and
// join the alike ones by union-find.
//
//	sketches ──> IDs ──> sort ──> one of each text ──> keys ──> sort ──> Matcher ──> Forest
//	                     joins the equal                                compares     clusters
//
// The package holds the parts that are pure. The caller keeps the sketches and sorts the
// keys.
//
// # Keys
//
// The keys of a sketch are the rarest of its hashes. Let t be the threshold, and let a sketch be a
// set of n hashes, n at most [sketch.Size]. Two sketches that resemble each other by t have at least
// t n hashes in common. So under any order of all hashes they share one of the first
// n - ceil(t n) + 1, 13 of 128 for t = 0.9 (prefix filter: Chaudhuri, Ganti, Kaushik, ICDE 2006;
// Bayardo, Ma, Srikant, WWW 2007). No pair is missed. In the order of frequency the text that all
// pages of a site share comes last and is rarely a key; the slides remove such shingles by hand. The
// frequencies are counted in a table of fixed size. Collisions there change the order, and any order
// is right.
//
// # Crowds
//
// A bucket is the set of documents that share a key. Text that fills pages, such as an error
// page with a word of its own, makes buckets of thousands. [Matcher] compares each document
// with at most Most others of a bucket, so work is linear in the number of keys. A bucket of
// more documents loses nothing if its documents are near-duplicates, because one of each
// cluster is enough. Comparisons left out are counted.
//
// # Precision
//
// The decision on a pair is the estimate of the sketches, or, with Exact, the resemblance of
// the documents' own shingles. The error of the estimate is 0.027 at 0.9, so pairs within
// 0.05 of the threshold are decided either way. With Exact, the keys look for pairs down to
// 0.1 below the threshold, nearly four standard errors.
package near
