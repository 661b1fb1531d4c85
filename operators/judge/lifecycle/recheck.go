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
func (pl *planner) Recheck(id string, now int64) bool {
	if pl.book.Publication.Sequence == 0 {
		return false
	}
	if pl.window != nil {
		pl.derive(now)
	}
	list := pl.book.Valid()
	if id != "" && !slices.ContainsFunc(list, func(e *book.Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := pl.rechecker.newRound(pl.view, list, now)
	if id != "" {
		r = pl.rechecker.partialRound(pl.view, list, map[string]bool{id: true}, now)
	}
	pl.do(book.Act{Round: r})
	return true
}

// recheckAll continues the round of rechecks. What is kept of the requests goes to the trial of the set
// first, if rules wait for it.
func (pl *planner) recheckAll(now int64) (Look, step) {
	if pl.book.Publication.Sequence == 0 || len(pl.view.List) == 0 || pl.rest == FullRest && pl.publisher.owes(pl.view.List) {
		return Look{}, nothing
	}
	if r := pl.rechecker.due(pl.view, now); r != nil {
		pl.do(book.Act{Round: r})
	}
	for place, e := range pl.view.List {
		if !pl.rechecker.isDue(e) {
			continue
		}
		if look, s := pl.recheckRule(place, now); s != ready {
			return look, s
		}
		pl.tellRejudged(pl.attempts.recheck)
		pl.rechecker.checked[e.ID], pl.attempts.recheck = true, nil
	}
	return pl.recheckSet(now)
}

// recheckRule tries the rule at one place again.
func (pl *planner) recheckRule(place int, now int64) (Look, step) {
	e := pl.view.List[place]
	if pl.attempts.recheck == nil {
		pl.attempts.recheck = pl.attemptOf(place, pl.book.Round.At, now)
	}
	a := pl.attempts.recheck
	missing := a.Rejudge(pl.judge(now))
	if look, s := pl.corroborate(a, Recheck, missing, now); s != nothing {
		return look, s
	}
	sum := a.Tally.Sum()
	verdict := a.Tally.Stands(pl.o.Trial)
	switch {
	case verdict == trial.Refuted:
		pl.retire(place, a, now)
		return Look{}, changed
	case verdict != trial.Open && sum.Negatives > 0:
		pl.exceptLater(place, a, now)
		return Look{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= pl.book.Round.Quota[e.ID]:
		return Look{}, ready
	}
	return pl.draw(a, Recheck, now)
}

// attemptOf returns the trial of the rule at a place of L, on the outcomes since a time. The pairs
// join the forms under the rules before it with those under it as well.
func (pl *planner) attemptOf(place int, since, now int64) *attempt.Attempt {
	e := pl.view.List[place]
	return pl.attemptAs(place, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds}, since, now)
}

// attemptAs is attemptOf for a rule with the properties of a candidate.
func (pl *planner) attemptAs(place int, c book.Candidate, since, now int64) *attempt.Attempt {
	f, moves := pl.view.Before(place)
	return attempt.New(pl.judge(now), c, f, moves, since, pl.attempts.awaited)
}

// retire removes from L a rule that no longer holds. If an exception explains the negatives, the rule
// is tried again with it. Only outcomes of the round count for the rule's pages.
func (pl *planner) retire(place int, a *attempt.Attempt, now int64) {
	pl.tellRejudged(a)
	e := *pl.view.List[place]
	e.Anew = max(e.Anew, pl.book.Round.At)
	pl.forgetPages(place, e.Anew)
	if r, ok := a.WithException(pl.o); ok {
		pl.resume(&e, a, r, now)
		pl.leave(pl.view.List, place, &e, now)
		return
	}
	e.State, e.Verdict, e.Followers = rule.Retired, a.Verdict(pl.judge(now), book.ByRecheck), a.Followers(pl.view)
	e.Last = pl.book.Memory.Last
	pl.leave(pl.view.List, place, &e, now)
}

// recheckSet samples the set until its share of negatives is shown to be below SetLimit. A round tries
// a limited number of pairs of the set, and in addition the pairs needed to trace faults.
func (pl *planner) recheckSet(now int64) (Look, step) {
	if pl.book.Round.SetEnd || pl.book.Round.Quota == nil || pl.publisher.hasUpdate(pl.view) {
		return Look{}, nothing
	}
	look, s := pl.trySet(func(s *attempt.Set) bool { return pl.rechecker.setTried >= pl.o.SetBudget || s.Shown(pl.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		pl.rechecker.setTried++
		return look, s
	case changed, waiting:
		return look, s
	}
	r := pl.book.Round
	r.SetEnd = true
	pl.do(book.Act{Round: &r})
	return Look{}, changed
}
