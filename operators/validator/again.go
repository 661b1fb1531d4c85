package validator

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// Round is one re-validation of what is published.
type Round struct {
	At     int64          `json:"at"`              // when it began; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // pairs that each rule has tried, by id
	SetEnd bool           `json:"set_end,omitempty"`
	Full   int64          `json:"full,omitempty"` // when the last round over all of L began, if this is not one

	Sizes map[string]Sizes `json:"sizes,omitempty"` // of the rules that rounds have tested, by id
}

// full is when the last round over all of L began.
func (r *Round) full() int64 { return cmp.Or(r.Full, r.At) }

// begin is a round over some rules of L: each gets its share of the budget by how much
// it has changed.
func (m *Machine) begin(list []*Entry, now int64) *Round {
	var changes []trial.Change
	for _, e := range list {
		changes = append(changes, e.Change)
	}
	r := &Round{At: now, Quota: map[string]int{}, Sizes: m.noteSizes(list, now)}
	for i, n := range trial.Share(m.o.AgainBudget, m.o.AgainFloor, changes) {
		r.Quota[list[i].ID] = n
	}
	return r
}

// leave takes the rule of a place out of L, with a new entry. The rules after it were
// tried in its company: they are tested again soon, with those that the round under way
// has not come to.
func (m *Machine) leave(place int, e *Entry, now int64) {
	after := map[string]bool{}
	for _, other := range m.list[place+1:] {
		after[other.ID] = true
	}
	rest := slices.Delete(slices.Clone(m.list), place, place+1)
	a := Act{Rule: e}
	if m.o.AgainEvery > 0 || m.round.isOpen() {
		a.Round = m.beginSome(rest, after, now)
	}
	m.do(a)
}

// beginSome is a round over some rules of a list, and those that the round under way has
// not come to; nil if there are none.
func (m *Machine) beginSome(list []*Entry, ids map[string]bool, now int64) *Round {
	list = slices.DeleteFunc(slices.Clone(list), func(e *Entry) bool { return !ids[e.ID] && !m.isDue(e) })
	if len(list) == 0 {
		return nil
	}
	r := m.begin(list, now)
	r.Full = m.round.full()
	return r
}

// isOpen reports whether a round has begun and is not over.
func (r *Round) isOpen() bool { return r.Quota != nil && !r.SetEnd }

// Recheck begins a round over all rules of L, or over the one with an id. False if L has
// none, or none with that id, or nothing has been published.
func (m *Machine) Recheck(id string, now int64) bool {
	if m.publication.Sequence == 0 {
		return false
	}
	if m.window != nil {
		m.derive(now)
	}
	list := m.valid()
	if id != "" && !slices.ContainsFunc(list, func(e *Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := m.begin(list, now)
	if id != "" {
		r = m.beginSome(list, map[string]bool{id: true}, now)
	}
	m.do(Act{Round: r})
	return true
}

// isDue reports whether the round under way is still to test a rule.
func (m *Machine) isDue(e *Entry) bool {
	return m.round.Quota[e.ID] > 0 && e.ValidatedAt < m.round.At && !m.checked[e.ID]
}

// again goes on with the round of re-validation.
func (m *Machine) again(now int64) (Test, step) {
	if m.publication.Sequence == 0 || len(m.list) == 0 {
		return Test{}, nothing
	}
	if m.o.AgainEvery > 0 {
		m.beginDue(now)
	}
	for place, e := range m.list {
		if !m.isDue(e) {
			continue
		}
		if test, s := m.recheck(place, now); s != ready {
			return test, s
		}
		m.checked[e.ID], m.rechecked = true, nil
	}
	return m.againWhole(now)
}

// beginDue begins a round over all of L if it is time, or over the rules that the newest
// sizes contradict.
func (m *Machine) beginDue(now int64) {
	if now >= m.round.full()+m.o.AgainEvery {
		m.do(Act{Round: m.begin(m.list, now)})
	} else if ids := m.contradicted(now); len(ids) > 0 {
		m.do(Act{Round: m.beginSome(m.list, ids, now)})
	}
}

// recheck tries the rule of one place again, between the forms under the rules
// before it and those up to it.
func (m *Machine) recheck(place int, now int64) (Test, step) {
	e := m.list[place]
	if m.rechecked == nil {
		f := formsOf(m.window, rulesOf(m.list[:place]))
		moves, _ := f.moves(&e.Rule, f.everything())
		m.rechecked = m.newAttempt(candidate{e.ID, e.Rule, e.Support, 0, false}, f, moves, m.round.At, now)
	}
	a := m.rechecked
	missing := m.rejudge(a, now)
	if test, s := m.vouch(a, Again, missing, now); s != nothing {
		return test, s
	}
	sum := a.course.Sum()
	verdict := a.course.Stands(m.o.Trial)
	switch {
	case verdict == trial.Refuted:
		m.retire(place, a, now)
		return Test{}, acted
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= m.round.Quota[e.ID]:
		return Test{}, ready
	}
	return m.draw(a, Again, now)
}

// retire takes a rule out of L that does not hold any more.
func (m *Machine) retire(place int, a *attempt, now int64) {
	e := *m.list[place]
	e.State, e.Verdict, e.Followers = rule.Retired, m.verdict(a, byAgain, now), m.followers(a)
	m.leave(place, &e, now)
}

// againWhole samples the set until it is known to be below its limit, so many pairs a
// round, and those that trace what was wrong.
func (m *Machine) againWhole(now int64) (Test, step) {
	if m.round.SetEnd || m.round.Quota == nil || m.news() {
		return Test{}, nothing
	}
	test, s := m.tryWhole(func(s *sample) bool { return m.setTried >= m.o.SetBudget || s.shown(m.o.SetLimit) }, AgainWhole, now)
	switch s {
	case gave:
		m.setTried++
		return test, s
	case acted, waiting:
		return test, s
	}
	r := m.round
	r.SetEnd = true
	m.do(Act{Round: &r})
	return Test{}, acted
}

// rulesOf are the rules of entries.
func rulesOf(list []*Entry) []rule.Rule {
	rules := make([]rule.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule
	}
	return rules
}
