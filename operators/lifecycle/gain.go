package lifecycle

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// choose returns the candidate of greatest worth. Ties are broken by list order. ok is
// false if no candidate gains MinGain and has the pairs that a verdict needs. The choice
// depends only on L, the window, the candidates and the acts. Gains are computed in the
// order of their bounds, the number of forms that could be touched, and only while a gain
// can still change the choice. Gains are kept until L or the window changes.
func (m *Machine) choose(open []candidate) (best candidate, ok bool) {
	prior := m.book.priors()
	bounds := make([]bound, len(open))
	for i := range open {
		c := &open[i]
		if c.within {
			bounds[i] = bound{m.narrowedWorth(c), c}
		} else {
			bounds[i] = bound{m.worth(prior[c.rule.Kind], m.view.most(c)), c}
		}
	}
	slices.SortFunc(bounds, bound.compare)
	most := 0.0
	for _, b := range bounds {
		if b.worth < most || b.worth == 0 {
			break
		}
		if !b.c.within {
			b.worth = m.worth(prior[b.c.rule.Kind], m.view.gain(b.c))
		}
		if b.worth > 0 && (!ok || b.compare(bound{most, &best}) < 0) {
			best, most, ok = *b.c, b.worth, true
		}
	}
	return best, ok
}

// bound is a candidate with the candidate's worth, or an upper bound of the worth.
type bound struct {
	worth float64
	c     *candidate
}

// compare puts the greatest worth first, then the order of the list.
func (b bound) compare(d bound) int {
	return cmp.Or(cmp.Compare(d.worth, b.worth), cmp.Compare(b.c.order, d.c.order), strings.Compare(b.c.id, d.c.id))
}

// worth returns the worth of a trial of a rule without tried pairs: the forms merged if the
// rule holds, for each outcome that the verdict will take. worth grows with the gain.
func (m *Machine) worth(prior float64, gain int) float64 {
	if gain < m.o.MinGain {
		return 0
	}
	holds, outcomes := m.o.Trial.Prospect(prior, 0, gain)
	return float64(gain) * holds / outcomes
}

// narrowedWorth returns the worth of a rule whose scope was found by the trial of another
// rule. Known outcomes of the rule's pairs count. If one of the outcomes is negative, the
// rule can be replaced by narrower scopes at no cost. O(moves).
func (m *Machine) narrowedWorth(c *candidate) float64 {
	gain := m.view.gain(c)
	if gain < m.o.MinGain {
		return 0
	}
	moves := m.view.moves(c)
	positives := 0
	for _, v := range moves {
		j, _, _ := m.judge(m.now).known(m.view.forms.rep(v.form), v.to, &trial.Control{}, 0)
		switch j.Outcome {
		case trial.Positive:
			positives++
		case trial.Negative, trial.Returned:
			return float64(gain)
		}
	}
	holds, outcomes := m.o.Trial.Prospect(prior, positives, len(moves))
	return float64(gain) * holds / outcomes
}

// prior is the probability, before any trial, that a candidate holds.
const prior = 0.1

// openCandidates returns the candidates that may be tried now: the snapshot's candidates,
// the candidates learned from forms, rules sent back, and rules that were once valid. A
// refuted rule is replaced by the rule's followers.
func (m *Machine) openCandidates(now int64) []candidate {
	var open []candidate
	seen := map[string]bool{}
	var visit func(c candidate)
	visit = func(c candidate) {
		if seen[c.id] {
			return
		}
		seen[c.id] = true
		if m.o.Veil.Hides(c.rule.Text()) {
			return
		}
		e := m.book.entries[c.id]
		if m.book.mayTry(e, c.support, now) {
			open = append(open, c)
			return
		}
		if e.State != rule.Refuted && e.State != rule.Retired {
			return
		}
		for _, f := range e.Followers {
			within := c.within || f.Scope != c.rule.Scope
			visit(candidate{rule.ID(m.site, &f), f, c.support, c.order, within})
		}
	}
	for _, c := range m.base() {
		visit(c)
	}
	return open
}

// base returns the candidates of all sources.
func (m *Machine) base() []candidate {
	all := slices.Clone(m.candidates)
	for _, c := range slices.Concat(m.view.drops, m.book.learnt) {
		c.order = len(all)
		all = append(all, c)
	}
	var back []candidate
	for _, e := range m.book.entries {
		if e.State == rule.SentBack || e.Rank > 0 && e.State != rule.Valid {
			back = append(back, candidate{e.ID, e.Rule, e.Support, 0, isNarrowed(&e.Rule)})
		}
	}
	slices.SortFunc(back, func(a, b candidate) int { return strings.Compare(a.id, b.id) })
	for _, c := range back {
		c.order = len(all)
		all = append(all, c)
	}
	return all
}
