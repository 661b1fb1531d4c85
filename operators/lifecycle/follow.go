package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
)

// mostNarrower is the number of a drop's narrower scopes that follow the drop. The scopes
// with the greatest support are chosen.
const mostNarrower = 64

// followers returns the rules tried in place of a refuted rule: the scopes where the rule
// held; the growing direction of the pair, if a pair of the rule's own was negative; for a
// drop, the narrower scopes that are likely by themselves, and set.
func (w *view) followers(a *attempt) (next []rule.Rule) {
	r, d := a.c.rule, w.finder()
	next = narrowed(&r, a)
	switch {
	case r.Kind == rule.Substring && !r.Grows() && a.failed():
		g := r
		g.From, g.To = r.To, r.From
		next = append(next, g)
	case r.Kind == rule.Drop:
		narrower := d.narrower(&r)
		next = append(next, narrower[:min(len(narrower), mostNarrower)]...)
		if v, ok := d.usual(&r); ok {
			s := r
			s.Kind, s.Value = rule.Set, v
			next = append(next, s)
		}
	}
	return slices.DeleteFunc(next, func(r rule.Rule) bool { return r.Validate() != nil })
}
