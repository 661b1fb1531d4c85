// Package fanout learns rewrite rules from duplicate clusters, as Dasgupta, Kumar and
// Sasturkar do ("De-duping URLs via rewrite rules", KDD 2008), in the form in which Lei et
// al. (WWW 2010, sections 2 and 6.1) and Rodrigues et al. (TKDE 2015) describe the way and
// compare with it: bottom up, from pairs of URLs that differ in one place, with the
// threshold called fan-out.
//
// # Definition
//
// A URL is a set of keys with values: the segments of the path by number, the bare pieces of the
// query by their place among these, and the parameters by name. A bare piece may be dropped, and
// never has any value, which templates cannot say.
//
// From each cluster come the pairs (u, v) of its URLs, u the larger (longer, and of equal
// length the later in byte order), that differ
//
//   - in the value of one key: the transformations are set(key, value in v) and drop(key), since the
//     value may not matter at all (the addresses of a login page that name where to return),
//   - by one key that v lacks: the transformation is drop(key),
//   - by one value that stands under another key in v, which u lacks: the transformation is
//     copy(key in u, key in v), and the key in u is dropped.
//
// Of a cluster of more than [MaxURLs] URLs, those with the smallest hash are paired. The
// context of a pair is the keys of u with their values. A key that is dropped or copied has
// any value, written *. A key that is set keeps its value at first, which the papers leave open:
// with * there instead, the contexts of sets are wide at once, and on real sites most are false
// (docs: .13 of the duplicates instead of .34).
//
// The contexts of one transformation are generalized: if at least F of them differ in the
// value of one key alone, they become one context in which it has any value. Contexts of sets are
// generalized twice, with and without the key set, since a value may be replaced by another on
// some pages (gitweb: .36 of the duplicates at 50 % of the labels instead of .28), and whatever it
// is on others (the addresses of a login page that name where to return: all of them instead of
// none). The keys are taken in their order, the segments by number and then the parameters by
// name, and again until nothing changes. Small F gives more rules, and wider ones.
//
// A context and its transformation are a rule of kind template. Each rule is applied to the
// clustering. Rules of support 3 and more without false positives are learned. The order is
// by support.
//
// A template cannot add a segment. Such rules are left out.
//
// # Cost
//
// At most 39 pairs for every two URLs, each of O(keys). A context takes 24 bytes and an entry
// in a hash table. Of more than four contexts for each URL and 4,096, those that most pairs show are
// kept; at most twice as many are known at a time. Contexts are
// compared by a hash of 64 bits, so two contexts are taken for one with a probability of
// n² / 2^65.
package fanout
