// Package trial is the statistics of one verdict: what two fetched documents say
// of a rule, which pair is best fetched next, and when enough is known
// (DustBuster, WWW 2007, figures 3 and 4, with strata).
//
// # Words
//
//	pair       (u, v): a URL, and what the rule makes of it
//	outcome    positive: the documents are similar; negative: they are not, or v
//	           is missing; skip: nothing was learned, which is no outcome
//	mixed pair (u_i, v_j), i ≠ j: pages of two pairs, which the rule does not join
//	stratum    a kind of pair. h = 0: both URLs known and similar by size; 1: both
//	           known and not similar, where a wrong rule shows first; 2: v is not
//	           known; 3: nor is it, but other URLs become v as well, and their sizes
//	           are not similar: they cannot all be v, whatever that is
//	w_h        the share of stratum h in the rule's pairs
//	N, ε       100 outcomes and 5 % decide, as in the paper; 3N attempts at most
//
// # The estimate
//
// The paper draws pairs at random and counts. Here the strata are drawn from in
// another proportion than they have, at least as if each were a fifth, so that a
// small stratum full of negatives is seen early. The share of negatives is then
//
//	p = Σ w_h neg_h / n_h
//
// and its variance that of a simple sample of n = 1 / Σ (w_h² / n_h) pairs. The
// bounds are those of Clopper and Pearson for np negatives of n, both of them
// real numbers, as Korn and Graubard have it (Survey Methodology 24, 1998). Each
// bound holds with 95 %.
//
// # The control
//
// The paper takes two pages that look alike for one. A server that shows one page for
// everything, or pages on one template, makes any rule valid by that. A Control tells how
// alike pages are that the rule does not join; under it, what was Seen of a pair becomes
// an outcome: see Case.
//
// # Where this departs from the paper
//
// At N outcomes the bound must be below ε, as before N, and not the share alone: of
// rules that are false in 5 % of their pairs that would let every second one pass.
// A rule that cannot get there any more is refuted at once; without strata that is
// at its second negative. So negatives cost few fetches, and narrowing, which makes
// of a rule with some negatives several with none, begins early.
//
// Everything is a pure function of its arguments; the clock and the fetching are
// the caller's.
package trial
