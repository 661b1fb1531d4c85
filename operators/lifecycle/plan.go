package lifecycle

import "dustbuster/operators/rule"

// Planned is a rule, or the set of valid rules, that would be tried, with the first pairs
// to fetch.
type Planned struct {
	Purpose  Purpose
	ID       string     // "": the set
	Rule     *rule.Rule // nil: the set
	Support  int
	Gain     int     // forms that the rule would merge
	Pairs    int     // that may be fetched
	Barred   int     // pairs left out because one of their URLs is never fetched
	Outcomes float64 // expected number of outcomes until the verdict
	First    []Test  // as many pairs as requested
}

// Plan returns the next trials of the machine, in order, with the first few pairs of each:
// first the trials due for valid rules, then all candidates by their worth. Each verdict
// changes the trials after the verdict. Plan gives out no test, and changes only state that
// Next would change before its next test. O(window · rules + moves of all candidates ·
// log).
func (m *Machine) Plan(first int, now int64) (plan []Planned) {
	test, ok := m.Next(now)
	if m.view == nil {
		return nil
	}
	if ok && test.Purpose != Trial {
		plan = append(plan, m.due(test, first, now))
	}
	if ok {
		m.Release(test)
	}
	if ok && test.Purpose == SetRecheck {
		m.rechecker.setTried--
	}
	for _, b := range m.chooser(now).ranked() {
		plan = append(plan, m.planned(b.c, first, now))
	}
	return plan
}

// due returns the plan for a valid rule, or for the set, given a test returned by Next.
func (m *Machine) due(test Test, first int, now int64) Planned {
	p := Planned{Purpose: test.Purpose, ID: test.Rule, First: []Test{test}}
	draw := func() *pair { return nil }
	if e := m.book.entries[p.ID]; e != nil {
		p.Rule, p.Support, p.Pairs = &e.Rule, e.Support, m.book.round.Quota[p.ID]
	}
	if m.rechecked != nil && test.Purpose == Recheck {
		draw = m.rechecked.draw
	}
	if m.set != nil && test.Rule == "" {
		sum := m.set.tally.Sum()
		p.Pairs, p.Barred = sum.Pairs, m.set.barred
		draw = func() *pair { return m.drawUnknown(m.set, now) }
	}
	return p.with(draw, first)
}

// drawUnknown takes the next URL of a sample that would have to be fetched.
func (m *Machine) drawUnknown(s *setTrial, now int64) *pair {
	for _, p := s.draw(); p != nil; _, p = s.draw() {
		if _, known := m.book.memory.known(p.u, p.v, 0, now); !known {
			return p
		}
	}
	return nil
}

// with draws pairs until the requested number is reached.
func (p Planned) with(draw func() *pair, first int) Planned {
	for len(p.First) < first {
		d := draw()
		if d == nil {
			break
		}
		p.First = append(p.First, Test{U: d.u, V: d.v, Purpose: p.Purpose, Rule: p.ID})
	}
	return p
}

func (m *Machine) planned(c *candidate, first int, now int64) Planned {
	p := Planned{Purpose: Trial, ID: c.id, Rule: &c.rule, Support: c.support, Gain: m.view.gain(c)}
	_, p.Outcomes = m.o.Trial.Prospect(m.book.priors()[c.rule.Kind], 0, p.Gain)
	a := newAttempt(m.judge(now), *c, m.view.forms, m.view.moves(c), 0, m.awaited)
	sum := a.tally.Sum()
	p.Pairs, p.Barred = sum.Pairs, a.barred
	return p.with(a.draw, first)
}
