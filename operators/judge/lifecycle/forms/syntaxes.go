package forms

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/kinds"
	"dustbuster/operators/rule"
)

// syntaxes returns the folders in which a form of syntax, or the order of parameters, is likely by the sizes of the forms,
// though not on the whole site. That is left to the learner kinds, and there are none if it is off. O(forms that have
// another form).
func (d *dropFinder) syntaxes() (all []book.Candidate) {
	if !slices.Contains(d.o.Miner.Window, kinds.Name) {
		return nil
	}
	rules := []rule.Rule{{Edit: rule.Order{}}}
	for f := range rule.Forms() {
		rules = append(rules, rule.Rule{Edit: rule.Syntax{Form: f}})
	}
	var made []byte
	for i := range rules {
		counts := tallies{}
		among, _ := d.index.MayChange(&rules[i])
		for n := range among {
			var changed bool
			made, changed = rules[i].Apply(made[:0], []byte(d.forms.Texts[n]))
			v, listed := d.forms.Number[string(made)]
			if !changed || !listed || len(d.forms.evidence(n)) == 0 || len(d.forms.evidence(v)) == 0 {
				continue
			}
			similar := Alike(d.o, d.forms.Page(n), d.forms.Page(v))
			counts.count(rule.Scope{}, similar)
			counts.add(d.forms.Texts[n], similar)
		}
		for _, c := range d.likely(&rules[i], counts, func(rule.Scope) bool { return true }) {
			if c.Rule.Scope != (rule.Scope{}) {
				all = append(all, c)
			}
		}
	}
	return all
}
