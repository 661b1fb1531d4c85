package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// A rule that nearly holds is given an exception: see package except. With it, the rule goes on in the
// same trial, and keeps its id.

// mostLater is the number of negatives found after the verdict; the last of them sends the rule back.
const mostLater = 3

// exceptUnlike gives the rule on trial an exception for all unlike pairs, if that explains the
// negatives. The trial goes on, and the outcomes so far count.
func (tr *trier) exceptUnlike(a *attempt.Attempt, _ *forms.Pair, now int64) (Look, step) {
	if a.Tally.Sum().Negatives == 0 || a.Tally.Returned > 0 || a.StaysStrict() || tr.o.Off.UnlikePages {
		return Look{}, nothing
	}
	r, ok := a.WithoutUnlike()
	if t := a.Examined(); !ok || !t.MayExplain() || !tr.verdicts.resumeWith(a, r, true, now) {
		return Look{}, nothing
	}
	return Look{}, changed
}

// resumeWith resumes a trial with a rule that has an exception, and reports whether what is left of it
// can be tried. If count is set, the outcomes so far prove the rule with the exception, too.
func (ve *verdicts) resumeWith(a *attempt.Attempt, r rule.Rule, count bool, now int64) bool {
	c := a.Candidate
	c.Rule = r
	if a.IsNew && ve.view.Gain(&c) < ve.o.MinGain {
		return false
	}
	ve.dialogue.tellRejudged(a)
	e := ve.entryOf(a, now)
	ve.resume(&e, a, r, now)
	if count {
		e.Exceptions, e.After = c.Exceptions, c.After
	}
	if a.IsNew {
		ve.do(book.Act{Rule: &e})
	} else {
		ve.leave(ve.view.List, ve.prover.placeOf(a.Candidate.ID), &e, now)
	}
	return true
}

// resume turns an entry into that of a rule whose trial goes on with an exception.
func (ve *verdicts) resume(e *book.Entry, a *attempt.Attempt, r rule.Rule, now int64) {
	e.State, e.Rule, e.Verdict = rule.SentBack, r, a.Verdict(ve.judge(now), book.ByException)
	e.Exceptions, e.After = e.Exceptions+1, ve.book.Memory.Last
	if was := ve.book.Entries[e.ID]; was != nil {
		e.Rank = was.Rank // a pinned rule that was valid: see keepPinned
	}
}

// resumed returns the candidate whose trial goes on with an exception, if the rule can still
// be tried.
func (c *chooser) resumed(open []book.Candidate) (n book.Candidate, ok bool) {
	for i := range open {
		if c.Book.IsResumed(open[i].ID) && c.View.Gain(&open[i]) >= c.Options.MinGain {
			return open[i], true
		}
	}
	return n, false
}

// exceptLater takes the negatives of a recheck out of a rule of L. The last of mostLater
// negatives sends the rule back. Only outcomes of the round count in that trial.
func (re *rechecks) exceptLater(place int, a *attempt.Attempt, now int64) {
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

// exceptOne returns a rule of L with an exception for one form that it turns into another page. ok is
// false if there is no such exception.
func (fa *faults) exceptOne(rank int, form string, now int64) (r rule.Rule, ok bool) {
	t := fa.attemptOf(rank, 0, now).Examined()
	t.Negatives, t.Later = []string{form}, true
	r, left := t.Without()
	return r, left == 0
}
