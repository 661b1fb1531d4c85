package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Recheck begins a round over all rules of L, or over the rule with an id. Recheck returns
// false if L is empty, if L holds no rule with the id, or if nothing has been published.
func (m *Machine) Recheck(id string, now int64) bool {
	if m.book.Publication.Sequence == 0 {
		return false
	}
	if m.window != nil {
		m.derive(now)
	}
	list := m.book.Valid()
	if id != "" && !slices.ContainsFunc(list, func(e *book.Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := m.rechecker.newRound(m.view, list, now)
	if id != "" {
		r = m.rechecker.partialRound(m.view, list, map[string]bool{id: true}, now)
	}
	m.do(book.Act{Round: r})
	return true
}

// recheckAll continues the round of rechecks. What is kept of the requests goes to the trial of the set
// first, if rules wait for it.
func (m *Machine) recheckAll(now int64) (Look, step) {
	if m.book.Publication.Sequence == 0 || len(m.view.List) == 0 || m.rest == FullRest && m.publisher.owes(m.view.List) {
		return Look{}, nothing
	}
	if r := m.rechecker.due(m.view, now); r != nil {
		m.do(book.Act{Round: r})
	}
	for place, e := range m.view.List {
		if !m.rechecker.isDue(e) {
			continue
		}
		if look, s := m.recheckRule(place, now); s != ready {
			return look, s
		}
		m.tellRejudged(m.attempts.recheck)
		m.rechecker.checked[e.ID], m.attempts.recheck = true, nil
	}
	return m.recheckSet(now)
}

// recheckRule tries the rule at one place again.
func (m *Machine) recheckRule(place int, now int64) (Look, step) {
	e := m.view.List[place]
	if m.attempts.recheck == nil {
		m.attempts.recheck = m.attemptOf(place, m.book.Round.At, now)
	}
	a := m.attempts.recheck
	missing := a.Rejudge(m.judge(now))
	if look, s := m.corroborate(a, Recheck, missing, now); s != nothing {
		return look, s
	}
	sum := a.Tally.Sum()
	verdict := a.Tally.Stands(m.o.Trial)
	switch {
	case verdict == trial.Refuted:
		m.retire(place, a, now)
		return Look{}, changed
	case verdict != trial.Open && sum.Negatives > 0:
		m.exceptLater(place, a, now)
		return Look{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= m.book.Round.Quota[e.ID]:
		return Look{}, ready
	}
	return m.draw(a, Recheck, now)
}

// attemptOf returns the trial of the rule at a place of L, on the outcomes since a time. The pairs
// join the forms under the rules before it with those under it as well.
func (m *Machine) attemptOf(place int, since, now int64) *attempt.Attempt {
	e := m.view.List[place]
	return m.attemptAs(place, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds}, since, now)
}

// attemptAs is attemptOf for a rule with the properties of a candidate.
func (m *Machine) attemptAs(place int, c book.Candidate, since, now int64) *attempt.Attempt {
	f, moves := m.view.Before(place)
	return attempt.New(m.judge(now), c, f, moves, since, m.attempts.awaited)
}

// retire removes from L a rule that no longer holds. If an exception explains the negatives, the rule
// is tried again with it. Only outcomes of the round count for the rule's pages.
func (m *Machine) retire(place int, a *attempt.Attempt, now int64) {
	m.tellRejudged(a)
	e := *m.view.List[place]
	e.Anew = max(e.Anew, m.book.Round.At)
	m.forgetPages(place, e.Anew)
	if r, ok := a.WithException(m.o); ok {
		m.resume(&e, a, r, now)
		m.leave(m.view.List, place, &e, now)
		return
	}
	e.State, e.Verdict, e.Followers = rule.Retired, a.Verdict(m.judge(now), book.ByRecheck), a.Followers(m.view)
	e.Last = m.book.Memory.Last
	m.leave(m.view.List, place, &e, now)
}

// recheckSet samples the set until its share of negatives is shown to be below SetLimit. A round tries
// a limited number of pairs of the set, and in addition the pairs needed to trace faults.
func (m *Machine) recheckSet(now int64) (Look, step) {
	if m.book.Round.SetEnd || m.book.Round.Quota == nil || m.publisher.hasUpdate(m.view) {
		return Look{}, nothing
	}
	look, s := m.trySet(func(s *attempt.Set) bool { return m.rechecker.setTried >= m.o.SetBudget || s.Shown(m.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		m.rechecker.setTried++
		return look, s
	case changed, waiting:
		return look, s
	}
	r := m.book.Round
	r.SetEnd = true
	m.do(book.Act{Round: &r})
	return Look{}, changed
}
