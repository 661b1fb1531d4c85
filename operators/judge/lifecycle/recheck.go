package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
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
		re.dialogue.tellRejudged(re.ongoing.recheck)
		re.rechecker.finish(e.ID)
		re.ongoing.recheck = nil
	}
	return re.recheckSet(now)
}

// recheckRule tries the rule at one place again.
func (re *rechecks) recheckRule(place int, now int64) (Look, step) {
	e := re.view.List[place]
	if re.ongoing.recheck == nil {
		re.ongoing.recheck = re.faults.trialOf(place, re.book.Round.At, now)
	}
	a := re.ongoing.recheck
	missing := a.Rejudge(re.judge(now))
	if re.goesOnLater(e.ID, a.FirstAt(), now) {
		return Look{}, nothing
	}
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

// retire removes from L a rule that no longer holds. If an exception explains the negatives, the rule
// is tried again with it. Only outcomes of the round count for the rule's pages.
func (re *rechecks) retire(place int, a *trials.Trial, now int64) {
	re.dialogue.tellRejudged(a)
	e := *re.view.List[place]
	e.Anew = max(e.Anew, re.book.Round.At)
	re.faults.forgetPages(place, e.Anew)
	if r, ok := a.WithException(re.o); ok {
		re.verdicts.resume(&e, a, r, now)
		re.leave(re.view.List, place, &e, now)
		return
	}
	e.State, e.Verdict, e.Last = rule.Retired, a.Verdict(re.judge(now), book.ByRecheck), re.book.Memory.Last
	e.Followers, e.Late = a.Followers(re.judge(now))
	re.leave(re.view.List, place, &e, now)
}

// recheckSet samples the set until its share of negatives is shown to be below SetLimit. A round tries
// a limited number of pairs of the set, and in addition the pairs needed to trace faults.
func (re *rechecks) recheckSet(now int64) (Look, step) {
	if re.book.Round.SetEnd || re.book.Round.Quota == nil || re.publisher.hasUpdate(re.view) {
		return Look{}, nothing
	}
	look, s := re.sets.trySet(func(s *trials.Set) bool { return re.rechecker.setTried >= re.o.SetBudget || s.Shown(re.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		re.rechecker.setTried++
		return look, s
	case changed, waiting:
		return look, s
	}
	if re.ongoing.aside.has(theSet, now) {
		return Look{}, nothing
	}
	r := re.book.Round
	r.SetEnd = true
	re.do(book.Act{Round: &r})
	return Look{}, changed
}

// exceptLater takes the negatives of a recheck out of a rule of L. The last of mostLater
// negatives sends the rule back. Only outcomes of the round count in that trial.
func (re *rechecks) exceptLater(place int, a *trials.Trial, now int64) {
	e := *re.view.List[place]
	e.Anew = max(e.Anew, re.book.Round.At)
	re.dialogue.tellRejudged(a)
	t := a.Examined()
	r, left := t.Without()
	e.Later += len(t.Negatives)
	if e.Later < mostLater && left == 0 && a.WrongStandIns() == 0 {
		e.Rule = r
		re.do(book.Act{Rule: &e})
		return
	}
	e.State, e.Verdict = rule.SentBack, a.Verdict(re.judge(now), book.ByRecheck)
	re.faults.forgetPages(place, e.Anew)
	re.leave(re.view.List, place, &e, now)
}
