package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// requestRound begins a round on request: see Machine.Recheck.
func (pl *planner) requestRound(id string, now int64) bool {
	if pl.book.publication.Sequence == 0 {
		return false
	}
	if pl.window != nil {
		pl.derive(now)
	}
	list := pl.book.valid()
	if id != "" && !slices.ContainsFunc(list, func(e *Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := pl.rechecker.newRound(pl.view, list, now)
	if id != "" {
		r = pl.rechecker.partialRound(pl.view, list, map[string]bool{id: true}, now)
	}
	pl.do(Act{Round: r})
	return true
}

// recheckAll continues the round of rechecks.
func (pl *planner) recheckAll(now int64) (Test, step) {
	if pl.book.publication.Sequence == 0 || len(pl.view.list) == 0 {
		return Test{}, nothing
	}
	if r := pl.rechecker.due(pl.view, now); r != nil {
		pl.do(Act{Round: r})
	}
	for place, e := range pl.view.list {
		if !pl.rechecker.isDue(e) {
			continue
		}
		if test, s := pl.recheckRule(place, now); s != ready {
			return test, s
		}
		pl.tellRejudged(pl.trials.recheck)
		pl.rechecker.checked[e.ID], pl.trials.recheck = true, nil
	}
	return pl.recheckSet(now)
}

// recheckRule tries the rule at one place again.
func (pl *planner) recheckRule(place int, now int64) (Test, step) {
	e := pl.view.list[place]
	if pl.trials.recheck == nil {
		pl.trials.recheck = pl.attemptOf(place, pl.book.round.At, now)
	}
	a := pl.trials.recheck
	missing := a.rejudge(pl.judge(now))
	if test, s := pl.corroborate(a, Recheck, missing, now); s != nothing {
		return test, s
	}
	sum := a.tally.Sum()
	verdict := a.tally.Stands(pl.o.Trial)
	switch {
	case verdict == trial.Refuted:
		pl.retire(place, a, now)
		return Test{}, changed
	case verdict != trial.Open && sum.Negatives > 0:
		pl.exceptLater(place, a, now)
		return Test{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= pl.book.round.Quota[e.ID]:
		return Test{}, ready
	}
	return pl.draw(a, Recheck, now)
}

// attemptOf returns the trial of the rule at a place of L, on the outcomes since a time. The
// pairs join the forms under the rules before the place with the forms under the rules up
// to and including the place.
func (pl *planner) attemptOf(place int, since, now int64) *attempt {
	e := pl.view.list[place]
	f := formsOf(pl.window, rulesOf(pl.view.list[:place]))
	moves, _ := f.moves(&e.Rule, f.everything())
	return newAttempt(pl.judge(now), candidate{id: e.ID, rule: e.Rule, support: e.Support, grounds: e.Grounds}, f, moves, since, pl.trials.awaited)
}

// retire removes from L a rule that no longer holds. If an exception explains the negatives,
// the rule with the exception is tried again. Only outcomes of the round count for the rule's pages.
func (pl *planner) retire(place int, a *attempt, now int64) {
	pl.tellRejudged(a)
	e := *pl.view.list[place]
	e.Anew = max(e.Anew, pl.book.round.At)
	pl.forgetPages(place, e.Anew)
	if r, ok := a.withException(pl.o); ok {
		pl.resume(&e, a, r, now)
		pl.leave(pl.view.list, place, &e, now)
		return
	}
	e.State, e.Verdict, e.Followers = rule.Retired, a.verdict(pl.judge(now), byRecheck), a.followers(pl.view)
	e.Last = pl.book.memory.last
	pl.leave(pl.view.list, place, &e, now)
}

// recheckSet samples the set until the share of negatives is shown to be below the set's
// limit. A round tries a limited number of pairs of the set, and in addition the pairs
// needed to trace faults.
func (pl *planner) recheckSet(now int64) (Test, step) {
	if pl.book.round.SetEnd || pl.book.round.Quota == nil || pl.publisher.hasUpdate(pl.view) {
		return Test{}, nothing
	}
	test, s := pl.trySet(func(s *setTrial) bool { return pl.rechecker.setTried >= pl.o.SetBudget || s.shown(pl.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		pl.rechecker.setTried++
		return test, s
	case changed, waiting:
		return test, s
	}
	r := pl.book.round
	r.SetEnd = true
	pl.do(Act{Round: &r})
	return Test{}, changed
}
