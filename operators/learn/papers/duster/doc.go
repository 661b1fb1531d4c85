// Package duster learns rewrite rules from clusters of URLs with equal pages, by multiple
// sequence alignment: DUSTER (Rodrigues, Cristo, de Moura, da Silva, "Removing DUST using
// multiple alignment of sequences", IEEE TKDE 2015; "Learning URL normalization rules using
// multiple alignment of sequences", SPIRE 2013).
//
// The rules are expressions with captures, which the language of package rule cannot say. So
// they are compared with those of other learners, and are not published.
//
// # Definitions
//
//	token        a run of letters, a run of digits, or one other byte, a delimiter
//	column       a set of tokens of one kind, and perhaps a gap; a URL is a sequence of
//	             columns of one token each
//	sf(x, y)     the Jaccard coefficient of two columns of one kind; -1 for columns of two
//	             kinds and for unlike delimiters, which never share a place
//	alignment    S[i][0] = S[0][j] = 0; S[i][j] = the greatest of S[i-1][j-1] + sf,
//	             S[i][j-1] and S[i-1][j] (Needleman and Wunsch 1970). Of equal ways, the way
//	             back takes the diagonal, then S[i][j-1]
//	consensus    the unions of the aligned columns; a column that lacks a partner has a gap
//
// At most K = 10 URLs of a cluster, those with the smallest hashes, are aligned
// progressively: of all pairs of sequences the pair with the greatest score becomes its
// consensus, until one sequence is left. A URL of more than 400 tokens, or with bytes
// outside printable ASCII, is not aligned.
//
// A column of the last consensus is invariant if all URLs have the same token, irrelevant if
// it has a gap, and otherwise variant. A rule is a context, an expression that matches whole
// URLs, and a transformation:
//
//	column                              context                        transformation
//	delimiter                           itself                         itself
//	delimiter with a gap                itself, optional               nothing
//	invariant columns alone between     ([a-zA-Z0-9]*)                 the capture
//	two delimiters
//	other invariant column              ([a-zA-Z]+) or ([0-9]+)        the capture
//	variant column                      (?:x|y), or (?:[0-9]+) if      the first token in
//	                                    more than Cardset = 5 tokens   byte order
//	irrelevant column                   the same, optional             nothing
//
// For example, /man/ls, /man/ls?lang=en and /man/ls?lang=de give
//
//	^/([a-zA-Z0-9]*)/([a-zA-Z0-9]*)\??(?:lang)?=?(?:de|en)?$  ->  /${1}/${2}
//
// A candidate is a rule that the alignments of at least MinClusters clusters give. Package
// regexp (RE2) applies the rules, in time linear in the URL.
//
// # Choices where the papers are silent
//
// The paper's minfreq is 10. Three clusters here (two, if little is known) are for sites of
// thousands of URLs instead of millions. Of a variant column the transformation has the first
// token in byte order, so that clusters with the same set agree. The order of ties makes the
// result a function of the clusters. Bounds of contexts and columns keep expressions small.
//
// # Cost
//
// For a cluster of k <= K URLs, O(k²) scores of pairs and k - 1 consensuses. A score costs
// the product of the lengths between the common ends of two sequences, a consensus that of
// the lengths before the common end, in a matrix. 20,000 URLs take 0.2 s.
package duster
