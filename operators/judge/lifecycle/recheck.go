package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// rechecks tries published rules again.
type rechecks struct {
	*life
	dialogue *Dialogue
	faults   *faults
	verdicts *verdicts
	sets     *sets
}

// Recheck begins a round over all rules of L, or over the rule with an id. Recheck returns
// false if L is empty, if L holds no rule with the id, or if nothing has been published.
func (op *Operator) Recheck(id string, now int64) bool {
	if op.book.Publication.Sequence == 0 {
		return false
	}
	if op.window != nil {
		op.derive(now)
	}
	list := op.book.Valid()
	if id != "" && !slices.ContainsFunc(list, func(e *book.Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := op.rechecker.newRound(op.view, list, now)
	if id != "" {
		r = op.rechecker.partialRound(op.view, list, map[string]bool{id: true}, now)
	}
	op.do(book.Act{Round: r})
	return true
}

// next continues the round of rechecks. What is kept of the requests goes to the trial of the set
// first, if rules wait for it.
func (re *rechecks) next(now int64) (Look, step) {
	if re.book.Publication.Sequence == 0 || len(re.view.List) == 0 || re.rest == FullRest && re.publisher.owes(re.view.List) {
		return Look{}, nothing
	}
	if r := re.rechecker.due(re.view, now); r != nil {
		re.do(book.Act{Round: r})
	}
	for place, e := range re.view.List {
		if !re.rechecker.isDue(e) {
			continue
		}
		if look, s := re.recheckRule(place, now); s != ready {
			return look, s
		}
		re.dialogue.tellRejudged(re.attempts.recheck)
		re.rechecker.checked[e.ID], re.attempts.recheck = true, nil
	}
	return re.recheckSet(now)
}

// recheckRule tries the rule at one place again.
func (re *rechecks) recheckRule(place int, now int64) (Look, step) {
	e := re.view.List[place]
	if re.attempts.recheck == nil {
		re.attempts.recheck = re.faults.attemptOf(place, re.book.Round.At, now)
	}
	a := re.attempts.recheck
	missing := a.Rejudge(re.judge(now))
	if look, s := re.dialogue.corroborate(a, Recheck, missing, now); s != nothing {
		return look, s
	}
	sum := a.Tally.Sum()
	verdict := a.Tally.Stands(re.o.Trial)
	switch {
	case verdict == trial.Refuted:
		re.retire(place, a, now)
		return Look{}, changed
	case verdict != trial.Open && sum.Negatives > 0:
		re.exceptLater(place, a, now)
		return Look{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= re.book.Round.Quota[e.ID]:
		return Look{}, ready
	}
	return re.dialogue.give(a, a.Draw(), Recheck, now)
}

// attemptOf returns the trial of the rule at a place of L, on the outcomes since a time. The pairs
// join the forms under the rules before it with those under it as well.
func (fa *faults) attemptOf(place int, since, now int64) *attempt.Attempt {
	e := fa.view.List[place]
	return fa.attemptAs(place, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds}, since, now)
}

// attemptAs is attemptOf for a rule with the properties of a candidate.
func (fa *faults) attemptAs(place int, c book.Candidate, since, now int64) *attempt.Attempt {
	f, moves := fa.view.Before(place)
	return attempt.New(fa.judge(now), c, f, moves, since, fa.attempts.awaited)
}

// retire removes from L a rule that no longer holds. If an exception explains the negatives, the rule
// is tried again with it. Only outcomes of the round count for the rule's pages.
func (re *rechecks) retire(place int, a *attempt.Attempt, now int64) {
	re.dialogue.tellRejudged(a)
	e := *re.view.List[place]
	e.Anew = max(e.Anew, re.book.Round.At)
	re.faults.forgetPages(place, e.Anew)
	if r, ok := a.WithException(re.o); ok {
		re.verdicts.resume(&e, a, r, now)
		re.leave(re.view.List, place, &e, now)
		return
	}
	e.State, e.Verdict, e.Followers = rule.Retired, a.Verdict(re.judge(now), book.ByRecheck), a.Followers(re.view)
	e.Last = re.book.Memory.Last
	re.leave(re.view.List, place, &e, now)
}

// recheckSet samples the set until its share of negatives is shown to be below SetLimit. A round tries
// a limited number of pairs of the set, and in addition the pairs needed to trace faults.
func (re *rechecks) recheckSet(now int64) (Look, step) {
	if re.book.Round.SetEnd || re.book.Round.Quota == nil || re.publisher.hasUpdate(re.view) {
		return Look{}, nothing
	}
	look, s := re.sets.trySet(func(s *attempt.Set) bool { return re.rechecker.setTried >= re.o.SetBudget || s.Shown(re.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		re.rechecker.setTried++
		return look, s
	case changed, waiting:
		return look, s
	}
	r := re.book.Round
	r.SetEnd = true
	re.do(book.Act{Round: &r})
	return Look{}, changed
}
