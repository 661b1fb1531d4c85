package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// Round is one re-validation of the published rules.
type Round struct {
	At     int64          `json:"at"`              // start of the round; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // number of pairs tried for each rule, by id
	SetEnd bool           `json:"set_end,omitempty"`
	Full   int64          `json:"full,omitempty"` // start of the last round over all of L, if this round covers less

	Sizes map[string]Sizes `json:"sizes,omitempty"` // of the rules tested by rounds, by id
}

// full returns the start of the last round over all of L.
func (r *Round) full() int64 { return cmp.Or(r.Full, r.At) }

// begin returns a round over some rules of L. Each rule receives a share of the budget
// according to how much the rule has changed.
func (m *Machine) begin(list []*Entry, now int64) *Round {
	var changes []trial.Change
	for _, e := range list {
		changes = append(changes, e.Change)
	}
	r := &Round{At: now, Quota: map[string]int{}, Sizes: m.noteSizes(list, now)}
	for i, n := range trial.Share(m.o.RecheckBudget, m.o.RecheckFloor, changes) {
		r.Quota[list[i].ID] = n
	}
	return r
}

// leave takes the rule at a place out of L and records a new entry for the rule. The rules
// after the place were tried together with the rule. Those rules, and the rules not yet
// tested by the current round, are tested again soon.
func (m *Machine) leave(list []*Entry, place int, e *Entry, now int64) {
	after := map[string]bool{}
	for _, other := range list[place+1:] {
		after[other.ID] = true
	}
	rest := slices.Delete(slices.Clone(list), place, place+1)
	a := Act{Rule: e}
	if m.o.RecheckEvery > 0 || m.book.round.isOpen() {
		a.Round = m.beginSome(rest, after, now)
	}
	m.do(a)
}

// beginSome returns a round over some rules of a list and over the rules not yet tested by
// the current round. The round is nil if there are no such rules.
func (m *Machine) beginSome(list []*Entry, ids map[string]bool, now int64) *Round {
	list = slices.DeleteFunc(slices.Clone(list), func(e *Entry) bool { return !ids[e.ID] && !m.isDue(e) })
	if len(list) == 0 {
		return nil
	}
	r := m.begin(list, now)
	r.Full = m.book.round.full()
	return r
}

// isOpen reports whether a round has begun and has not ended.
func (r *Round) isOpen() bool { return r.Quota != nil && !r.SetEnd }

// Recheck begins a round over all rules of L, or over the rule with an id. Recheck returns
// false if L is empty, if L holds no rule with the id, or if nothing has been published.
func (m *Machine) Recheck(id string, now int64) bool {
	if m.book.publication.Sequence == 0 {
		return false
	}
	if m.window != nil {
		m.derive(now)
	}
	list := m.book.valid()
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

// isDue reports whether the current round must still test a rule.
func (m *Machine) isDue(e *Entry) bool {
	return m.book.round.Quota[e.ID] > 0 && e.ValidatedAt < m.book.round.At && !m.checked[e.ID]
}

// recheckAll continues the round of re-validation.
func (m *Machine) recheckAll(now int64) (Test, step) {
	if m.book.publication.Sequence == 0 || len(m.view.list) == 0 {
		return Test{}, nothing
	}
	if m.o.RecheckEvery > 0 {
		m.beginDue(now)
	}
	for place, e := range m.view.list {
		if !m.isDue(e) {
			continue
		}
		if test, s := m.recheckRule(place, now); s != ready {
			return test, s
		}
		m.checked[e.ID], m.rechecked = true, nil
	}
	return m.recheckSet(now)
}

// beginDue begins a round over all of L if such a round is due, or over the rules
// contradicted by the newest sizes.
func (m *Machine) beginDue(now int64) {
	if now >= m.book.round.full()+m.o.RecheckEvery {
		m.do(Act{Round: m.begin(m.view.list, now)})
	} else if ids := m.contradicted(now); len(ids) > 0 {
		m.do(Act{Round: m.beginSome(m.view.list, ids, now)})
	}
}

// recheckRule tries the rule at one place again. The pairs join the forms under the rules
// before the place with the forms under the rules up to and including the place.
func (m *Machine) recheckRule(place int, now int64) (Test, step) {
	e := m.view.list[place]
	if m.rechecked == nil {
		f := formsOf(m.window, rulesOf(m.view.list[:place]))
		moves, _ := f.moves(&e.Rule, f.everything())
		m.rechecked = newAttempt(m.judge(now), candidate{e.ID, e.Rule, e.Support, 0, false}, f, moves, m.book.round.At, m.awaited)
	}
	a := m.rechecked
	missing := a.rejudge(m.judge(now))
	if test, s := m.vouch(a, Recheck, missing, now); s != nothing {
		return test, s
	}
	sum := a.tally.Sum()
	verdict := a.tally.Stands(m.o.Trial)
	switch {
	case verdict == trial.Refuted:
		m.retire(place, a, now)
		return Test{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= m.book.round.Quota[e.ID]:
		return Test{}, ready
	}
	return m.draw(a, Recheck, now)
}

// retire removes from L a rule that no longer holds.
func (m *Machine) retire(place int, a *attempt, now int64) {
	e := *m.view.list[place]
	e.State, e.Verdict, e.Followers = rule.Retired, a.verdict(m.judge(now), byRecheck), m.view.followers(a)
	m.leave(m.view.list, place, &e, now)
}

// recheckSet samples the set until the share of negatives is shown to be below the set's
// limit. A round tries a limited number of pairs of the set, and in addition the pairs
// needed to trace faults.
func (m *Machine) recheckSet(now int64) (Test, step) {
	if m.book.round.SetEnd || m.book.round.Quota == nil || m.publisher.hasUpdate(m.view) {
		return Test{}, nothing
	}
	test, s := m.trySet(func(s *setTrial) bool { return m.setTried >= m.o.SetBudget || s.shown(m.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		m.setTried++
		return test, s
	case changed, waiting:
		return test, s
	}
	r := m.book.round
	r.SetEnd = true
	m.do(Act{Round: &r})
	return Test{}, changed
}

// rulesOf returns the rules of entries.
func rulesOf(list []*Entry) []rule.Rule {
	rules := make([]rule.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule
	}
	return rules
}
