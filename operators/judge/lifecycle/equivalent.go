package lifecycle

import (
	"dustbuster/operators/rule"
)

// Two rules are equivalent in a window if they turn the same forms into the same texts: two
// scopes of one edit, or one edit written with more or less of the text around it. Their pairs
// are the same, so one verdict is enough: a trial of each would print one refutation for each
// name of the same pages.

// mark returns an identifier of a candidate's moves; 0 if there are none. The identifier is
// a sum of 64-bit keyed hashes: two different lists of moves have the same with a
// probability of about 2^-64. O(moves).
func (w *view) mark(c *candidate) (mark uint64) {
	for _, v := range w.moves(c) {
		mark += w.keys.hash(w.forms.texts[v.form]+"\n"+v.to, 3)
	}
	return mark
}

// distinct returns rules without those that are equivalent to a refuted rule or to a rule
// before them. Rules that change nothing yet stay.
func (w *view) distinct(refuted *candidate, all []rule.Rule) (distinct []rule.Rule) {
	seen := map[uint64]bool{w.mark(refuted): true}
	for _, r := range all {
		if m := w.mark(&candidate{id: rule.ID(w.site, &r), rule: r}); m == 0 || !seen[m] {
			seen[m] = true
			distinct = append(distinct, r)
		}
	}
	return distinct
}

// general returns the first drop of parameters with the same moves as a candidate that replaces
// substrings, or else the candidate. Both prove the same on this window, but the drop holds for
// values that the window lacks. O(candidates), and O(moves) for each drop with the candidate's
// first move.
func (w *view) general(best candidate, open []candidate) candidate {
	if best.rule.Kind != rule.Substring || best.within {
		return best
	}
	moves := w.moves(&best)
	if len(moves) == 0 {
		return best
	}
	first, mark := moves[0], w.mark(&best)
	for i := range open {
		c := &open[i]
		if c.rule.Kind != rule.Drop || c.within {
			continue
		}
		one, _ := w.forms.moves(&c.rule, func(yield func(int32) bool) { yield(first.form) })
		if len(one) == 1 && one[0] == first && w.mark(c) == mark {
			return *c
		}
	}
	return best
}
