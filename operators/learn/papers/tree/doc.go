// Package tree learns rewrite rules from duplicate clusters by a pattern tree (Lei, Cai,
// Yang, Ke, Fan, Zhang: "A Pattern Tree based Approach to Learning URL Normalization Rules",
// WWW 2010), top down, from the statistics of all URLs.
//
//	clusters ──build──> tree ──pairs──> pairs of nodes ──rules──> templates ──Judge──> candidates
//	                                                                                 │
//	                                        rules to deploy <──selected── graph <────┘
//
// # Definition
//
// A URL is a set of keys with values, as in package cluster. The absence of a key is a value.
// Each choice that the paper leaves open is named.
//
//   - Tree (algorithm 1). The root holds the URLs of the clusters of at least two URLs. A node is
//     split by the key of least entropy, of equal keys the first (segments by number, then
//     parameters by name). Salient are the values before the greatest decline of the logarithm of
//     the frequency (figure 6, formula 5), of equal declines the first. A frequency of 1 follows
//     the last value, and salient values have at least 3. Each salient value is a child, and the
//     others are one child. A node without salient values is a leaf, and so is one below 32
//     splits. A constant key splits nothing.
//   - Pairs (algorithm 2). The overlap of two nodes is the share of their URLs that are in
//     common clusters (formula 6). Pairs of an overlap of at least one half make rules in both
//     directions. A node makes a rule with itself if its duplicate rate is at least one half.
//     The URLs of a target may differ in their keys, which the paper leaves open.
//   - Operations (algorithm 3). A key of the target that has one value is set. If more than half
//     of a key's values are also of some key of the source, the one with the most of them is
//     copied, of equals the one of the same name. If more than half of the common clusters hold
//     several values of the key, they do not matter, and it is dropped. All other keys are
//     dropped.
//     A key that the source lacks and the target copies from itself is not edited.
//   - A template has a fixed set of keys. A pair makes a rule for each set of keys that URLs
//     of the source in common clusters have. Of other sets the pair says nothing. The constants
//     of a template are the keys of one value in the source. A node of more than 64 keys makes
//     no rules. A rule that templates cannot say is left out, such as one that adds a segment,
//     or one for URLs whose bare piece is any text.
//   - Candidates are judged on the clustering. Support is at least 3, fpr at most .05.
//   - Selection (section 5.3). The vertices of a graph are the nodes of the candidates. An edge
//     is a rule, of weight 1 - fpr, or leads from a node to one above, of weight 1. The energy
//     of a node is at first its number of URLs, and flows for 100 rounds, in which half of it
//     stays. A rule is kept if it rises to more energy, or is of a node with itself. Of the
//     rules for the same URLs, the one whose target has the most energy is kept. The order is by
//     support.
//
// The paper joins chains of rules into one rule. A canonizer applies rules until a URL
// settles, which has the same result, so chains stay.
//
// # Cost
//
// The tree takes O(depth · cells), where the cells are the keys of all URLs. The pairs take
// O(nodes²) at most for each cluster, of the nodes with its URLs. The rules of a pair take
// O(cells of its nodes). Memory: 8 bytes for each cell, 4 bytes for each URL and level of the
// tree, and the candidates. Of more than two for each URL and 4,096, those are kept that fit the
// most URLs of a source.
package tree
