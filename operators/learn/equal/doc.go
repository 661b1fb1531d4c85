// Package equal finds likely substring rules among the URLs of equal pages. It runs phases
// 1 and 2 of DustBuster (Bar-Yossef, Keidar, Schonfeld, WWW 2007, figures 1 and 2) within
// each set of URLs that have exactly one size or digest. The learner looks at a window now
// and then. The result is a function of the URLs and their evidence alone.
//
// # The reason
//
// Phase 1 ignores a bucket of more than T URLs, because the buckets of short substrings are
// large by chance. But a large bucket may hold a few URLs of one page among many URLs of
// other pages. Within the URLs of one size, such a bucket is small, and counts. If one size
// is everywhere, the set of this size is crowded by itself.
//
// # Definition
//
// A URL belongs to at most one set:
//
//   - the set of its digest, if the URL has exactly one digest;
//   - otherwise the set of its size in one class, if all answers of this class had the same
//     size above 0. The class is the URL's only one or, of several, the one that most URLs of
//     the list have; of equally frequent ones, the smallest number.
//
// Within a set all URLs are similar. Bucket limits, S and MS are those of package envelope.
// The support of a pair is the sum over all sets.
//
// # Cost
//
// A batch of package envelope takes one set after another, and holds the envelopes of one set at a
// time. A set of one URL costs only its share of a sort, a set of at most T_low URLs the comparison of
// each two, a set of n URLs up to 256 two sorts and a few words of n bits for each token of a URL, and a
// larger set n entries into the index. Supports are counted only for the pairs around cores that are found
// MS times. Memory: 20 bytes for each URL, 4 for each two URLs that meet, the texts of the largest set, its
// index if it is large, and the supports of these pairs.
package equal
