// Package compare holds learners of rules against each other: on a crawl whose pages are
// known, each learner learns from a part of the duplicate clusters, and its rules are judged
// on the rest, which it has not seen.
//
// # The protocol
//
// A clustering ([cluster.Of] with single URLs) is split at random by whole clusters
// ([cluster.Split]), as Rodrigues et al. do (TKDE 2015): a share of the clusters is labelled,
// and the rest is for the test. Options.Choosing is the part of the labelled clusters by
// which rules are chosen. Rodrigues et al. learn from 10 % and choose by 10 %; Lei et al. (WWW
// 2010) learn from 20 %, choose by the same, and test on all. With a share of 1, all clusters
// are for learning, choosing and the test: a test in the sample.
//
// A learner gives candidates. A candidate is judged alone on the clusters for choosing: a
// support pair is two URLs that the rule gives one form, a false pair a support pair of two
// clusters, fpr = false pairs / support pairs (Lei et al., section 3). A pair of substrings
// has the direction with the smaller fpr, of equal ones the shrinking direction. The rules
// that are deployed are chosen by one of these ways:
//
//	exact     the rules with fpr 0, in the order of support: fanout, duster
//	graph     fpr <= .05 and the selection of package tree: tree
//	greedy    one rule at a time: of the rules that merge at least 3 canonical forms under
//	          the rules chosen before, the rule that merges the most; without a false
//	          merge. If a direction fails, the other direction is tried: DustBuster, equal,
//	          drops, kinds, and learners joined by +, such as the union of all
//
// To fanout and tree a URL is a set of keys, and a template leaves the order of the keys as it is.
// So their candidates have the rule that sorts parameters too, if URLs of one cluster differ in the
// order alone. It has no node of the tree, and comes first.
//
// Deployed rules of package rule are applied as crawlers apply them (package canon). The
// expressions of package duster follow them in each round.
//
// # The figures
//
//	Raw         candidates
//	Supported   candidates of support 3 and more; of duster only those that alignments of 3
//	            clusters gave (2, if less than a quarter of the clusters is labelled)
//	Strict      supported candidates with fpr 0 (Rodrigues et al., table 3, "valid")
//	Loose       supported candidates with fpr <= .05 (Lei et al., table 3, "qualified")
//	Deployed    rules chosen (Lei et al., table 4)
//	Coverage    of the test's duplicates (URLs - clusters), the share that the deployed
//	            rules merge rightly: (URLs - forms - false merges) / (URLs - clusters).
//	            Bar-Yossef et al. give it for known duplicates (WWW 2007, section 7)
//	FalseMerges URLs whose page is not the page of their form, for each 10,000 URLs
//	Compression 1 - forms / URLs (Lei et al., formula 1; Rodrigues et al., reduction ratio)
//	Reduction   1 - duplicate rate after / duplicate rate before (Lei et al., formula 2)
//	PerRule     Compression / Deployed (Rodrigues et al., average reduction per rule)
//	Precision   at k: of the first k supported candidates in the learner's own order that
//	            merge URLs of the test, the share with fpr <= .05 there (precision at k of
//	            Bar-Yossef et al., section 7, with the test instead of fetches)
//	Cost        of learning, judging and choosing
//
// A form that is a URL has its own page, and another that of the first URL in byte order
// with this form.
//
// The time is that of the learners, and of one application of each candidate to the URLs
// that may change; the greedy choice applies them to the forms again as rules join.
package compare
