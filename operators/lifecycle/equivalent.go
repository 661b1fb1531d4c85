package lifecycle

import (
	"dustbuster/operators/rule"
)

// Two scopes of one edit are equivalent in a window if the rules turn the same forms into
// the same texts. Their pairs are the same, so one verdict is enough: a trial of each would
// print one refutation for each name of the same pages.

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

// equivalent returns the ids of candidates with the edit of a refuted rule that are
// equivalent to the rule.
func (w *view) equivalent(refuted *candidate, open []candidate) (ids []string) {
	mark := uint64(0)
	for i := range open {
		c := &open[i]
		if c.id == refuted.id || edit(c.rule) != edit(refuted.rule) {
			continue
		}
		if mark == 0 {
			mark = w.mark(refuted)
		}
		if w.mark(c) == mark {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// edit returns a rule without its scope and exceptions.
func edit(r rule.Rule) rule.Rule {
	r.Scope, r.Except = rule.Scope{}, rule.Except{}
	return r
}

// isRefutedElsewhere reports whether a rule was found equivalent to a rule whose refutation
// still stands.
func (b *book) isRefutedElsewhere(id string, now int64) bool {
	e := b.entries[b.same[id]]
	return e != nil && e.State == rule.Refuted && !b.mayTry(e, e.Support, now)
}

// noteSame keeps the equivalent rules of an entry.
func (b *book) noteSame(e *Entry) {
	for _, id := range e.Same {
		b.same[id] = e.ID
	}
}
