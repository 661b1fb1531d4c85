package validator

import (
	"cmp"
	"slices"
	"strings"
)

// choose finds the candidate of greatest gain, by its promise, ties in list order; false if none
// gains MinGain, or has the pairs that a verdict needs. What it finds depends on
// L, the window and the candidates alone: gains are taken in the order of their
// bound, the number of forms that could be touched, for as long as that can matter,
// and are kept until L or the window changes.
func (m *Machine) choose(open []candidate) (best candidate, ok bool) {
	bounds := make([]bound, len(open))
	for i := range open {
		bounds[i] = bound{m.most(&open[i]) * open[i].promise(), &open[i]}
	}
	slices.SortFunc(bounds, bound.compare)
	most := m.o.MinGain
	for _, b := range bounds {
		if b.gain < most {
			break
		}
		gain := m.gain(b.c)
		if g := (bound{gain * b.c.promise(), b.c}); gain >= m.o.MinGain && (!ok || g.compare(bound{most, &best}) < 0) {
			best, most, ok = *b.c, g.gain, true
		}
	}
	return best, ok
}

// promise weighs the gain of a rule that has held in its scope ten times and more
// against that of a rule of which nothing is known: of those one in ten and fewer is
// valid, of narrowed ones about every second, and they need few pairs more. A rule
// that is split so costs no more of a small budget than it did whole.
func (c *candidate) promise() int {
	if isNarrowed(&c.rule) {
		return 4
	}
	return 1
}

// bound is a candidate with its gain by its promise, or what that cannot be above.
type bound struct {
	gain int
	c    *candidate
}

// compare puts the greatest gain first, then the order of the list.
func (b bound) compare(d bound) int {
	return cmp.Or(cmp.Compare(d.gain, b.gain), cmp.Compare(b.c.order, d.c.order), strings.Compare(b.c.id, d.c.id))
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
		if moves := m.moves(c); len(moves) >= m.o.Trial.Minimum {
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
		if m.o.Withhold != nil && m.o.Withhold(&c.rule) {
			return
		}
		e := m.entries[c.id]
		if m.mayTry(e, c.support, now) {
			open = append(open, c)
			return
		}
		if e.State != Refuted && e.State != Retired {
			return
		}
		for _, f := range e.Followers {
			visit(candidate{ID(m.site, &f.Rule), f.Rule, c.support, c.order})
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
		if e.State == Likely || e.Rank > 0 && e.State != Valid {
			back = append(back, candidate{e.ID, e.Rule.Rule, e.Support, 0})
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
	if e == nil || e.State == Likely {
		return true
	}
	if e.State == Valid {
		return false
	}
	term := m.o.RetryRefuted
	if e.State == Undecided {
		term = m.o.RetryUndecided
	}
	return e.Support > 0 && support >= 2*e.Support || now >= e.Verdict.Time+term
}
