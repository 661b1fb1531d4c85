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

// General returns the first drop of parameters with the same moves as a candidate that replaces
// substrings, or else the latter. Both prove the same on this window, but the drop holds for values
// that the window lacks. O(candidates), and O(moves) for each drop with the candidate's first move.
func (w *View) General(best book.Candidate, open []book.Candidate) book.Candidate {
	if best.Rule.Kind() != rule.KindSubstring || best.Within {
		return best
	}
	moves := w.Moves(&best)
	if len(moves) == 0 {
		return best
	}
	first, mark := moves[0], w.mark(&best)
	for i := range open {
		c := &open[i]
		if c.Rule.Kind() != rule.KindDrop || c.Within {
			continue
		}
		one, _ := w.Forms.Moves(&c.Rule, func(yield func(int32) bool) { yield(first.Form) })
		if len(one) == 1 && one[0] == first && w.mark(c) == mark {
			return *c
		}
	}
	return best
}
