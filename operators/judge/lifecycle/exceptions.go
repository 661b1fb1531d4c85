package lifecycle

import (
	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A rule that nearly holds is given an exception: see package except. The rule with the
// exception takes the place of the rule's trial, and keeps the rule's id.

// mostLater is the number of negatives found after the verdict; the last of them sends the rule back.
const mostLater = 3

// mostSingle is the number of single URLs that a trial excepts before all pairs of the rule have been
// tried.
const mostSingle = 3

// examined returns what is known about the pairs of an attempt.
func (a *attempt) examined() except.Trial {
	t := except.Trial{Rule: &a.c.rule, Hides: a.hides}
	t.Share, _ = a.tally.Estimate()
	for h := range a.pairs {
		for i := range a.pairs[h] {
			t.Pairs = append(t.Pairs, a.pairs[h][i].form)
		}
	}
	for p := range a.tried {
		switch {
		case wrong(p.outcome):
			t.Negatives = append(t.Negatives, p.form)
		case p.outcome.Outcome == trial.Positive:
			t.Positives = append(t.Positives, p.form)
		}
	}
	sum := a.tally.Sum()
	t.NoURL = len(a.c.rule.Except.URLs()) >= mostSingle && sum.Left()+sum.Awaited > 0
	return t
}

// withException returns the rule of an attempt with an exception that explains all
// negatives. ok is false if there is no such exception.
//
// A rule that leads back would send a crawler in circles. In a strict trial many URLs show
// one text, so a client that invents URLs controls the share of the negatives. Such rules
// are given no exception.
func (a *attempt) withException(o *Options) (r rule.Rule, ok bool) {
	t := a.examined()
	if a.staysStrict() || a.tally.Returned > 0 || !t.MayExplain() {
		return r, false
	}
	return t.Explained()
}

// mayComeToExcept returns a pair that may show, in the trial of a rule that would be refuted,
// that an exception explains the few negatives: a pair outside the exception. A rule
// needs the log's support, or as many positives as negatives: most rules that begin with a
// negative are wrong everywhere. The pair is nil if there is none.
func (a *attempt) mayComeToExcept(o *Options) *tryPair {
	sum := a.tally.Sum()
	if a.staysStrict() || a.tally.Returned > 0 || a.c.grounds < partial && sum.Positives+sum.Earlier < sum.Negatives {
		return nil
	}
	t := a.examined()
	r, ok := t.MayComeToExplain()
	if without, explains := a.withoutUnlike(); explains && t.MayNeedPositives() {
		r, ok = without, true
	}
	if !ok {
		return nil
	}
	return a.drawOutside(&r)
}

// drawOutside takes the next pair outside the exceptions of a rule. The pair is nil if none
// is left.
func (a *attempt) drawOutside(r *rule.Rule) *tryPair {
	for h := range a.pairs {
		for i := range a.pairs[h] {
			if p := &a.pairs[h][i]; p.isUntouched() && !r.Excepts([]byte(p.form)) {
				return a.take(place{h, i})
			}
		}
	}
	return nil
}

// except gives the rule on trial an exception, if an exception explains the negatives and
// what is left of the rule can be tried. The trial begins anew with the rest of the pairs.
func (pl *planner) except(a *attempt, now int64) bool {
	r, ok := a.withException(pl.o)
	return ok && pl.tryOn(a, r, false, now)
}

// tryOn resumes a trial with a rule that has an exception, and reports whether what is left of the
// rule can be tried. If count is set, the outcomes so far prove the rule with the exception, too.
func (pl *planner) tryOn(a *attempt, r rule.Rule, count bool, now int64) bool {
	c := a.c
	c.rule = r
	if pl.view.gain(&c) < pl.o.MinGain {
		return false
	}
	pl.tellRejudged(a)
	e := pl.entryOf(a, now)
	pl.resume(&e, a, r, now)
	if count {
		e.Exceptions, e.After = c.exceptions, c.after
	}
	pl.do(Act{Rule: &e})
	return true
}

// resume turns an entry into that of a rule whose trial goes on with an exception.
func (pl *planner) resume(e *Entry, a *attempt, r rule.Rule, now int64) {
	e.State, e.Rule, e.Verdict = rule.SentBack, r, a.verdict(pl.judge(now), byException)
	e.Exceptions, e.After = e.Exceptions+1, pl.book.memory.last
	if was := pl.book.entries[e.ID]; was != nil {
		e.Rank = was.Rank // a pinned rule that was valid: see keepPinned
	}
}

// isResumed reports whether the trial of a rule goes on with an exception.
func (e *Entry) isResumed() bool { return e.State == rule.SentBack && e.Verdict.Reason == byException }

// isResumed reports whether the trial of the rule with an id goes on with an exception.
func (b *book) isResumed(id string) bool {
	e := b.entries[id]
	return e != nil && e.isResumed()
}

// resumes reports whether the trial of a rule goes on with an exception.
func (b *book) resumes() bool {
	for id := range b.entries {
		if b.isResumed(id) {
			return true
		}
	}
	return false
}

// resumed returns the candidate whose trial goes on with an exception, if the rule can still
// be tried.
func (c *chooser) resumed(open []candidate) (n candidate, ok bool) {
	for i := range open {
		if c.book.isResumed(open[i].id) && c.view.gain(&open[i]) >= c.o.MinGain {
			return open[i], true
		}
	}
	return n, false
}

// withExceptions returns a candidate with the exceptions that the rule was given. The next
// trial of a refuted rule begins without exceptions.
func (c candidate) withExceptions(e *Entry) candidate {
	if e == nil || e.State == rule.Refuted {
		return c
	}
	c.rule.Except, c.exceptions, c.after = e.Rule.Except, e.Exceptions, e.After
	return c
}

// exceptLater takes the negatives of a recheck out of a rule of L. The last of mostLater
// negatives sends the rule back. Only outcomes of the round count in that trial.
func (pl *planner) exceptLater(place int, a *attempt, now int64) {
	e := *pl.view.list[place]
	e.Anew = max(e.Anew, pl.book.round.At)
	pl.tellRejudged(a)
	t := a.examined()
	r, left := t.Without()
	e.Later += len(t.Negatives)
	if e.Later < mostLater && left == 0 {
		e.Rule = r
		pl.do(Act{Rule: &e})
		return
	}
	e.State, e.Verdict = rule.SentBack, a.verdict(pl.judge(now), byRecheck)
	pl.forgetPages(place, e.Anew)
	pl.leave(pl.view.list, place, &e, now)
}

// exceptOne returns a rule of L with an exception for one form that the rule turns into
// another page. ok is false if there is no such exception.
func (pl *planner) exceptOne(rank int, form string, now int64) (r rule.Rule, ok bool) {
	t := pl.attemptOf(rank, 0, now).examined()
	t.Negatives, t.Later = []string{form}, true
	r, left := t.Without()
	return r, left == 0
}
