package forms

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Two rules are equivalent in a window if they turn the same forms into the same texts: two scopes of
// one edit, or one edit written with more or less of the text around it. One verdict is then enough,
// since they have the same pairs.

// mark returns an identifier of a candidate's moves; 0 if there are none. It is a sum of 64-bit keyed
// hashes: two different lists of moves share it with a probability of about 2^-64. O(moves).
func (w *View) mark(c *book.Candidate) (mark uint64) {
	for _, v := range w.Moves(c) {
		mark += w.Keys.Hash(w.Forms.Texts[v.Form]+"\n"+v.To, 3)
	}
	return mark
}

// Distinct returns rules without those that are equivalent to a refuted rule or to a rule
// before them. Rules that change nothing yet stay.
func (w *View) Distinct(refuted *book.Candidate, all []rule.Rule) (distinct []rule.Rule) {
	seen := map[uint64]bool{w.mark(refuted): true}
	for _, r := range all {
		if m := w.mark(&book.Candidate{ID: rule.ID(w.Site, &r), Rule: r}); m == 0 || !seen[m] {
			seen[m] = true
			distinct = append(distinct, r)
		}
	}
	return distinct
}
