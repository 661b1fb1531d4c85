// Package cluster holds clusterings: the duplicate clusters from which the learners of the
// papers learn (Dasgupta, Kumar, Sasturkar, KDD 2008; Lei et al., WWW 2010; Rodrigues et
// al., TKDE 2015), and by which the papers judge rules. The package also makes clusterings
// from labels, splits them for learning and testing, and counts what rules do to them.
//
// # Definitions
//
// A cluster is a list of mined strings (path and query) of one site whose pages are alike.
// The list is sorted by bytes and holds no string twice. A clustering is a list of clusters,
// in the order of their first URLs, no two with a URL in common.
//
// Learners learn from the clusters of at least two URLs, and ignore the others. A cluster of
// one URL matters when rules are judged: a rule that gives the URL the form of another
// cluster makes a false pair ([Site.JudgeAll]).
//
// # Support and false positives
//
// Lei et al. define (section 3) a support pair as two URLs that are normalized to the same
// URL, a false positive pair as a support pair of two different clusters, and the rate
// fpr = false positive pairs / support pairs. Two URLs that no rule changes are never a pair.
package cluster
