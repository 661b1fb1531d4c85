package lifecycle

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// try continues the trial of the best candidate.
func (pl *planner) try(now int64) (Test, step) {
	if pl.trials.rule == nil {
		chooser := pl.chooser(now)
		open := chooser.openCandidates()
		c, ok := chooser.choose(open)
		pl.open = pl.view.mayGain(open)
		untried, first := pl.view.untried(open)
		if pl.untried, pl.firstUntried = untried, ""; first != nil {
			pl.firstUntried = first.rule.Words()
		}
		if !ok || len(pl.view.list) >= pl.o.MaxRules || pl.rest == LastRule && !pl.book.isResumed(c.id) {
			return Test{}, nothing
		}
		if pl.mayLearn(now) && pl.view.learnsEarly(&pl.book.learned, pl.view.gain(&c)) {
			l := pl.view.learn(pl.labels(), 1, now)
			pl.do(Act{Learnt: &l})
			return Test{}, changed
		}
		pl.trials.rule = newAttempt(pl.judge(now), c, pl.view.forms, pl.view.moves(&c), pl.book.anew(&c), pl.trials.awaited)
		pl.trials.rule.isNew = true

		if e := pl.book.entries[c.id]; e != nil {
			for _, against := range e.Sent {
				if !c.rule.Excepts([]byte(against.U)) {
					pl.trials.rule.negative(against)
				}
			}
		}
	}
	a := pl.trials.rule
	missing := a.rejudge(pl.judge(now))
	if test, s := pl.trace(a, now); s != nothing {
		return test, s
	}
	if test, s := pl.corroborate(a, Trial, missing, now); s != nothing {
		return test, s
	}
	switch near, p := a.nearThreshold(pl.judge(now)); {
	case near:
		pl.decide(a, trial.Undecided, now)
		return Test{}, changed
	case p != nil && pl.trials.awaited[p.key]:
		return Test{}, waiting
	case p != nil:
		p.awaited = true
		return pl.trials.second(Trial, a.c.id, p), gave
	}
	if pl.exceptUnlike(a, now) {
		return Test{}, changed
	}
	v := verdictOn(a, pl.o.Trial)
	if v == trial.Refuted {
		if p := a.mayComeToExcept(pl.o); p != nil {
			return pl.give(a, p, Trial, now)
		}
		if pl.except(a, now) {
			return Test{}, changed
		}
	}
	if v != trial.Open {
		pl.decide(a, v, now)
		return Test{}, changed
	}
	return pl.draw(a, Trial, now)
}

// draw gives out the next pair of an attempt, unless the outcome has become known in the
// meantime.
func (pl *planner) draw(a *attempt, purpose Purpose, now int64) (Test, step) {
	p := a.draw()
	if p == nil {
		return Test{}, waiting
	}
	return pl.give(a, p, purpose, now)
}

// give gives out a pair that was drawn, unless its outcome has become known.
func (pl *planner) give(a *attempt, p *tryPair, purpose Purpose, now int64) (Test, step) {
	if r, known := pl.book.memory.known(p.u, p.v, a.since, now); known {
		a.receive(p.key, r)
		return Test{}, changed
	}
	return pl.trials.test(purpose, a.c.id, &p.pair), gave
}

// corroborate continues the work that makes the outcomes of an attempt credible: second looks at
// negatives, the decoys, and the pairs of the control.
func (pl *planner) corroborate(a *attempt, purpose Purpose, missing *pair, now int64) (Test, step) {
	if p, outstanding := a.doubtful(); p != nil {
		p.awaited = true
		return pl.trials.second(purpose, a.c.id, p), gave
	} else if outstanding {
		return Test{}, waiting
	}
	sum, decided := a.tally.Sum(), a.tally.Decide(pl.o.Trial)
	if sum.Positives >= leastPositives {
		if d := pl.judge(now).decoyDue(decided == trial.Valid); d != nil {
			return pl.compare(a, d)
		}
	}
	ends := decided != trial.Open && (decided != trial.Refuted || !a.isFirm())
	if missing != nil && (ends || sum.Outcomes()+sum.Skipped >= leastPositives) {
		return pl.compare(a, missing)
	}
	return Test{}, nothing
}

// leastPositives is the number of positives needed before requests are spent on a control.
const leastPositives = 5

func (pl *planner) compare(a *attempt, p *pair) (Test, step) {
	if pl.trials.awaited[p.key] {
		return Test{}, waiting
	}
	return pl.trials.test(Control, a.c.id, p), gave
}

// verdictOn returns the verdict on a rule. The verdict is that of the outcomes, with two
// exceptions. A rule that is better tried in narrower scopes is refuted. A rule is undecided
// if the server fails or refuses, or if the pages prove nothing. In a strict trial, one negative refutes
// the rule: many URLs show one text, so a client that invents such URLs controls their share
// of all pairs.
func verdictOn(a *attempt, o trial.Options) trial.Decision {
	v := a.tally.Decide(o)
	switch {
	case a.staysStrict() && a.tally.Sum().Negatives > 0, v != trial.Refuted && !a.levers.EarlyNarrowing && keeps(a):
		return trial.Refuted
	case v == trial.Open && a.failing() != "", v != trial.Refuted && a.undecidable(o) != "":
		return trial.Undecided
	}
	return v
}

// entryOf returns the entry of the rule on trial, without a verdict.
func (pl *planner) entryOf(a *attempt, now int64) Entry {
	e := Entry{ID: a.c.id, Rule: a.c.rule, Support: a.c.support, Grounds: a.c.grounds, FirstSeen: now, Exceptions: a.c.exceptions, After: a.c.after}
	if was := pl.book.entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent, e.Anew = was.FirstSeen, was.Change, was.Sent, was.Anew
	}
	return e
}

// decide gives a verdict.
func (pl *planner) decide(a *attempt, v trial.Decision, now int64) {
	pl.tellRejudged(a)
	e := pl.entryOf(a, now)
	pl.barred += a.barred
	reason := byTrial
	if a.tally.Returned > 0 {
		reason = byReturn
	}
	switch v {
	case trial.Valid:
		if other, why := pl.leadsBack(a); why != "" {
			e.State, e.Followers, reason = rule.Retired, []rule.Rule{other}, why
		} else if e.Rule, v = pl.holding(a); v == trial.Refuted {
			e.State, reason = rule.Refuted, byUnsafe
		} else {
			e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, pl.book.lastRank()+1, now, pl.view.sizesWith(e.Rule)
		}
	case trial.Refuted:
		e.State, e.Followers, e.Last = rule.Refuted, a.followers(pl.view), pl.book.memory.last
		e.Late = pl.view.lateFollowers(&a.c.rule, pl.book.refuted)
	default:
		if pl.keepPinned(&e, now) {
			reason = byPin
			break
		}
		e.State = rule.Undecided
		if near, _ := a.nearThreshold(pl.judge(now)); near {
			reason = byNear
		} else if why := a.failing(); why != "" {
			reason = why
		} else if why := a.undecidable(pl.o.Trial); why != "" {
			reason = why
		}
	}
	e.Verdict = a.verdict(pl.judge(now), reason)
	pl.do(Act{Rule: &e})
}

// keepPinned makes a pinned rule that was valid before valid again, and reports whether it
// did.
func (pl *planner) keepPinned(e *Entry, now int64) bool {
	if was := pl.book.entries[e.ID]; was == nil || was.Rank == 0 || !pl.book.pinned(e.ID) {
		return false
	}
	if _, rank := compile(with(pl.view.forms.rules, e.Rule)).Unsafe(pl.window.bytes()); rank >= 0 {
		return false
	}
	e.State, e.Rank, e.ValidatedAt, e.Sizes = rule.Valid, pl.book.lastRank()+1, now, pl.view.sizesWith(e.Rule)
	return true
}

// holding returns a rule found valid, with exceptions for the negatives of the trial. The
// rule is refuted if it would leave a URL of the window without a canonical form.
func (pl *planner) holding(a *attempt) (rule.Rule, trial.Decision) {
	t := a.examined()
	excepted, _ := t.Without()
	for _, r := range []rule.Rule{excepted, a.c.rule} {
		if _, rank := compile(with(pl.view.forms.rules, r)).Unsafe(pl.window.bytes()); rank < 0 {
			return r, trial.Valid
		}
	}
	return a.c.rule, trial.Refuted
}
