package validator

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// choose finds the candidate of greatest worth, ties in list order; false if none
// gains MinGain and has the pairs that a verdict needs. What it finds depends on
// L, the window, the candidates and the acts alone: gains are taken in the order of
// their bound, the number of forms that could be touched, for as long as that can
// matter, and are kept until L or the window changes.
func (m *Machine) choose(open []candidate) (best candidate, ok bool) {
	prior := m.priors()
	bounds := make([]bound, len(open))
	for i := range open {
		c := &open[i]
		if c.within {
			bounds[i] = bound{m.narrowedWorth(c), c}
		} else {
			bounds[i] = bound{m.worth(prior[c.rule.Kind], m.most(c)), c}
		}
	}
	slices.SortFunc(bounds, bound.compare)
	most := 0.0
	for _, b := range bounds {
		if b.worth < most || b.worth == 0 {
			break
		}
		if !b.c.within {
			b.worth = m.worth(prior[b.c.rule.Kind], m.gain(b.c))
		}
		if b.worth > 0 && (!ok || b.compare(bound{most, &best}) < 0) {
			best, most, ok = *b.c, b.worth, true
		}
	}
	return best, ok
}

// bound is a candidate with its worth, or what that cannot be above.
type bound struct {
	worth float64
	c     *candidate
}

// compare puts the greatest worth first, then the order of the list.
func (b bound) compare(d bound) int {
	return cmp.Or(cmp.Compare(d.worth, b.worth), cmp.Compare(b.c.order, d.c.order), strings.Compare(b.c.id, d.c.id))
}

// worth is what a trial of a rule of which no pair has been tried brings: the forms
// that it will merge, if it holds, for each outcome that its verdict will take. It
// grows with the gain.
func (m *Machine) worth(prior float64, gain int) float64 {
	if gain < m.o.MinGain {
		return 0
	}
	holds, outcomes := m.o.Trial.Prospect(prior, 0, gain)
	return float64(gain) * holds / outcomes
}

// narrowedWorth is that of a rule whose scope was found by trying another: what is
// known of its pairs counts. If one of them is negative, it costs nothing to give it
// up for scopes narrower still. O(moves).
func (m *Machine) narrowedWorth(c *candidate) float64 {
	gain := m.gain(c)
	if gain < m.o.MinGain {
		return 0
	}
	moves := m.moves(c)
	positives := 0
	for _, v := range moves {
		j, _, _ := m.outcome(m.forms.rep(v.form), v.to, &trial.Control{}, 0, m.now)
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

// prior is the chance, before anything has been tried, that a candidate holds.
const prior = 0.1

// priors are the chances that candidates of each kind hold, by what has become of
// those that were tried on this site.
func (m *Machine) priors() (chance [rule.Set + 1]float64) {
	var valid, tried [rule.Set + 1]float64
	for _, e := range m.entries {
		if isNarrowed(&e.Rule) || e.Verdict.Samples == 0 {
			continue
		}
		tried[e.Rule.Kind]++
		if e.State == rule.Valid {
			valid[e.Rule.Kind]++
		}
	}
	for kind := range chance {
		chance[kind] = (valid[kind] + 1) / (tried[kind] + 1/prior)
	}
	return chance
}

// most is a candidate's gain if it has been taken, else its bound.
func (m *Machine) most(c *candidate) int {
	if g, taken := m.gains[c.id]; taken {
		return g
	}
	_, n := m.index.few(&c.rule)
	return n
}

// gain takes a candidate's gain, once. 0 if it cannot be tried: some form would
// not settle, or there are too few pairs for a verdict.
func (m *Machine) gain(c *candidate) int {
	g, taken := m.gains[c.id]
	if !taken {
		if moves := m.moves(c); m.canTry(moves) {
			g = m.forms.gain(moves)
		}
		m.gains[c.id] = g
	}
	return g
}

// moves are what a candidate does to the forms; none if some do not settle.
func (m *Machine) moves(c *candidate) []move {
	among, _ := m.index.few(&c.rule)
	moves, _ := m.forms.moves(&c.rule, among)
	return moves
}

// openCandidates lists what may be tried now: the snapshot's candidates, those learned
// from forms, and rules sent back or once valid; in the place of each refuted one
// its followers.
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
		e := m.entries[c.id]
		if m.mayTry(e, c.support, now) {
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

// base is where candidates come from.
func (m *Machine) base() []candidate {
	all := slices.Clone(m.candidates)
	for _, c := range slices.Concat(m.dropped, m.learnt) {
		c.order = len(all)
		all = append(all, c)
	}
	var back []candidate
	for _, e := range m.entries {
		if e.State == rule.Likely || e.Rank > 0 && e.State != rule.Valid {
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

// mayTry tells whether a rule with this entry, if it has one, may be tried: a
// verdict stands until its support has doubled or its term is over.
func (m *Machine) mayTry(e *Entry, support int, now int64) bool {
	if e == nil || e.State == rule.Likely {
		return true
	}
	if e.State == rule.Valid {
		return false
	}
	term := m.o.RetryRefuted
	if e.State == rule.Undecided {
		term = m.o.RetryUndecided
	}
	return e.Support > 0 && support >= 2*e.Support || now >= e.Verdict.Time+term
}
