// Package weight measures how much a site's log says for a likely rule, beyond chance. The
// weight has no parameter that depends on the site. It is a function of the URLs, their
// evidence, the rule and a key.
//
// # The reason
//
// The support of a rule counts where its pages are alike. On a site of which many pages
// have one size, pages are alike everywhere, and support alone says nothing. The weight
// compares the pages that a rule joins with others.
//
// # Definition
//
// The pairs of a rule are pairs (u1, u2) of different listed URLs whose sizes or digests can
// be compared:
//
//   - of a substring rule its instances, u1 = pαs and u2 = pβs;
//   - of a drop, or of a segment cut out, the members of each group against its base. A group
//     holds the URLs with one rest, that is, one URL after the edit. The base is the rest if
//     it is listed with a size or digest, and otherwise the least member in byte order;
//   - of another rule R the URLs u with R(u).
//
// A page is double in a class if its sizes, day by day, are two groups, each within the tolerance, and one at least 1.5
// times the other: an answer packed for some clients. Two doubles are similar if both groups are, and a double and
// another page if one group is.
//
// Of more than 2,000 pairs those with the smallest keyed hash count. The votes are the pairs
// of different sizes: of the pairs whose two sizes fall into the same two cells of 5 %, or
// whose two digests are equal, the pair with the smallest hash votes. At most 300 vote.
//
// With n votes, of which k are alike:
//
//	q = (m + 2p) / (d + 2), at most 0.999
//	weight = k ln(k / qn) + (n-k) ln((n-k) / (n(1-q))), and 0 if k <= qn
//
// This is the log-likelihood ratio of "pages that the rule joins are alike more often" to
// "they are alike by chance q". The chance is found by the shuffle control: d counts the
// pairs of u1 of one vote with a different u2 of another vote, if the two can be compared,
// and m counts those that are alike. p is the share of the site's pages that are similar to
// u1, on average over the votes. p decides where the votes are few.
//
// A weight near 0 means that the log cannot tell. It does not mean that the rule is false.
//
// # Cost
//
// O(URLs) for the census of sizes. A rule then looks at the URLs that it may change, as the
// index of their tokens finds them, once for its weight and its effect. The scopes of one drop
// share its groups. A page that shares several classes with others takes part in p by a sample
// of 2,000 such pages; so do all doubles.
package weight
