package validator

import (
	"dustbuster/operators/canon"
	"dustbuster/operators/trial"
)

// Round is one re-validation of what is published.
type Round struct {
	At     int64          `json:"at"`              // when it began; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // pairs that each rule has tried, by id
	SetEnd bool           `json:"set_end,omitempty"`
}

// begin is a round over the rules from a place in L on: each gets its share of the
// budget by how much it has changed.
func (m *Machine) begin(from int, now int64) *Round {
	var changes []trial.Change
	for _, e := range m.list[from:] {
		changes = append(changes, e.Change)
	}
	r := &Round{At: now, Quota: map[string]int{}}
	for i, n := range trial.Share(m.o.AgainBudget, m.o.AgainFloor, changes) {
		r.Quota[m.list[from+i].ID] = n
	}
	return r
}

// again goes on with the round of re-validation.
func (m *Machine) again(now int64) (Test, step) {
	if m.o.AgainEvery <= 0 || m.publication.Sequence == 0 || len(m.list) == 0 {
		return Test{}, nothing
	}
	if now >= m.round.At+m.o.AgainEvery {
		m.do(Act{Round: m.begin(0, now)})
	}
	for place, e := range m.list {
		if m.round.Quota[e.ID] == 0 || e.ValidatedAt >= m.round.At || m.checked[e.ID] {
			continue
		}
		if test, s := m.recheck(place, now); s != ready {
			return test, s
		}
		m.checked[e.ID], m.rechecked = true, nil
	}
	return m.againWhole(now)
}

// recheck tries the rule of one place again, between the forms under the rules
// before it and those up to it.
func (m *Machine) recheck(place int, now int64) (Test, step) {
	e := m.list[place]
	if m.rechecked == nil {
		f := formsOf(m.window, rulesOf(m.list[:place]))
		moves, _ := f.moves(&e.Rule.Rule, f.everything())
		m.rechecked = m.newAttempt(candidate{e.ID, e.Rule.Rule, e.Support, 0, false}, f, moves, m.round.At, now)
	}
	a := m.rechecked
	sum := a.course.Sum()
	verdict := a.course.Stands(m.o.Trial)
	switch {
	case verdict == trial.Refuted:
		m.retire(place, a, now)
		return Test{}, acted
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= m.round.Quota[e.ID]:
		return Test{}, ready
	}
	if p := a.draw(); p != nil {
		return m.test(Again, e.ID, p), gave
	}
	return Test{}, waiting
}

// retire takes a rule out of L; those after it are tested again at once, since they
// were tried after it.
func (m *Machine) retire(place int, a *attempt, now int64) {
	e := *m.list[place]
	e.State, e.Verdict, e.Followers = Retired, m.verdict(a, byAgain, now), m.followers(a)
	m.do(Act{Rule: &e, Round: m.begin(place+1, now)})
}

// againWhole samples the set until it is known to be below its limit, so many
// pairs a round.
func (m *Machine) againWhole(now int64) (Test, step) {
	if m.round.SetEnd || m.round.Quota == nil || m.news() {
		return Test{}, nothing
	}
	if m.setTried < m.o.SetBudget {
		test, s := m.tryWhole(func(s *sample) bool { return s.shown(m.o.SetLimit) }, AgainWhole, now)
		switch s {
		case gave:
			m.setTried++
			return test, s
		case acted, waiting:
			return test, s
		}
	}
	r := m.round
	r.SetEnd = true
	m.do(Act{Round: &r})
	return Test{}, acted
}

// rulesOf are the rules of entries.
func rulesOf(list []*Entry) []canon.Rule {
	rules := make([]canon.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule.Rule
	}
	return rules
}
