// Package trial is the statistics of one verdict: the meaning of two fetched documents for
// a rule, the choice of the next pair, and the end of a trial (DustBuster, WWW 2007,
// figures 3 and 4, with strata).
//
// # Words
//
//	pair       (u, v): a URL, and the text into which the rule turns the URL
//	outcome    positive: the documents are similar; negative: the documents are not
//	           similar, or v is missing. A skip proves nothing and is no outcome
//	mixed pair (u_i, v_j), i ≠ j: pages of two pairs, which the rule does not join
//	stratum    a kind of pair. h = 0: both URLs known and similar by size; 1: both
//	           known and not similar, where a wrong rule shows first; 2: v is not
//	           known; 3: v is not known, and other URLs of different sizes become v
//	           as well, so some of these URLs must differ from v
//	w_h        the share of stratum h in the rule's pairs
//	N, ε       100 outcomes and 5 % decide, as in the paper; at most 3N attempts
//
// # The estimate
//
// The paper draws pairs at random and counts. This package draws from the strata in another
// proportion than their shares: a stratum is drawn at least as often as if its share were a
// fifth. A small stratum full of negatives is thus seen early. The share of negatives is
// then
//
//	p = Σ w_h neg_h / n_h
//
// and its variance equals that of a simple sample of n = 1 / Σ (w_h² / m_h) pairs, where
// m_h = N_h ln(N_h / (N_h - n_h)) is the precision of n_h outcomes drawn without replacement
// from N_h pairs. For many pairs m_h is n_h. That n_h outcomes miss D negatives has at most
// the probability (1 - n_h/N_h)^D, and that m_h outcomes of very many pairs miss as large a
// share has the same. Of 100 pairs 45 outcomes without a negative suffice, of very many 59.
// The bounds are those of Clopper and Pearson for np negatives of n, with np and n real
// numbers, after Korn and Graubard (Survey Methodology 24, 1998). Each bound holds with 95
// % confidence.
//
// # The control
//
// The paper treats two similar pages as one page. If a server shows one page for
// everything, or builds all pages from one template, every rule then looks valid. A Control
// measures the similarity of pages that the rule does not join. Under a Control, the value
// Seen of a pair becomes an outcome: see Case.
//
// # Differences from the paper
//
// At N outcomes, as before N, the bound must be below ε, and not only the share. The share
// alone would accept every second rule that is false in 5 % of its pairs. A rule that can
// no longer reach the bound is refuted at once; without strata this happens at the second
// negative. Negatives therefore cost few fetches. Narrowing, which splits a rule with some
// negatives into several rules without negatives, begins early.
//
// All functions are pure. The clock and the fetches belong to the caller.
package trial
