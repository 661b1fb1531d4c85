// Package duplicates finds the clusters of near-duplicate documents in web archives, on
// disk and in bounded memory. operators/judge/near has the algorithm.
//
//	archives ──> documents ──> sketches ──> spool (a file)
//	             stream/warc   workers        │  └─> IDs ──> sort ──> join the equal
//	                                          └─> keys ──> sort ──> compare, join
//
// The spool holds a record of 1,096 bytes for each document, the URLs, and with Exact all
// shingles (4 bytes each, at most 16 KiB a document). IDs and keys are sorted on disk: 36 to
// 72 bytes a document, and 24 bytes a key. All files are temporary.
//
// Memory is Options.Memory, 5 bytes a document for the clusters, 8 more while they are listed,
// at most 8 MiB for pairs that were compared, and a few bodies for each worker. A comparison
// reads two records of the spool, which come from the page cache if there is one.
//
// The sort is github.com/lanrat/extsort.
package duplicates
