package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
)

// publish publishes the rules of L that may be published, after their trial as a whole.
func (pl *planner) publish(now int64) (Test, step) {
	if test, s := pl.trySet(func(s *attempt.Set) bool { return s.MayPublish(pl.o) }, SetTrial, now); s != ready {
		return test, s
	}
	pl.do(book.Act{Publication: pl.publisher.next(pl.view, pl.trials.set.Summary(), now)})
	return Test{}, changed
}

// further continues the trial of the published set until the share of negatives is shown to
// be below the set's limit. further applies if nothing else is to do, fetches are left, and
// no recheck will continue the trial.
func (pl *planner) further(now int64) (Test, step) {
	if pl.o.RecheckEvery > 0 || pl.rest > NoRest || pl.book.Publication.Sequence == 0 || pl.publisher.hasUpdate(pl.view) {
		return Test{}, nothing
	}
	test, s := pl.trySet(func(s *attempt.Set) bool { return s.Shown(pl.o.SetLimit) || s.HasTaken(pl.o, pl.book.Memory.Tried()) }, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return test, s
}

// trySet continues the trial of the set until enough reports true. The result is a test,
// or a step: something was done, the trial is ready, or nothing can be done now.
func (pl *planner) trySet(enough func(*attempt.Set) bool, purpose Purpose, now int64) (Test, step) {
	if out := pl.publisher.outgoing(pl.view).list; pl.trials.set == nil || !slices.Equal(pl.trials.set.List, out) {
		pl.trials.set = attempt.NewSet(pl.view, out)
	}
	s := pl.trials.set
	for {
		if test, done := pl.blame(s, purpose, now); done != nothing {
			return test, done
		}
		switch {
		case pl.closing && len(s.Doubt)+s.Looking > 0:
			return Test{}, nothing
		case len(s.Doubt) > 0:
			return pl.trials.second(purpose, "", s.LookAgain()), gave
		case s.Looking > 0:
			return Test{}, waiting
		case enough(s):
			return Test{}, ready
		}
		if sum := s.Tally.Sum(); sum.Outcomes()+sum.Skipped >= pl.o.Trial.Attempts && sum.Outcomes() < pl.o.Trial.Minimum {
			return Test{}, nothing
		}
		if test, done := pl.drawOfSet(s, purpose, now); done != changed {
			return test, done
		}
	}
}

// drawOfSet gives out the next pair of the set. The step is changed if the outcome of the pair is known or
// awaited, ready if the trial may end, and nothing if requests must be saved.
func (pl *planner) drawOfSet(s *attempt.Set, purpose Purpose, now int64) (Test, step) {
	kind, p := s.Draw()
	if p == nil {
		return Test{}, waiting
	}
	if r, known := pl.book.Memory.Known(p.U, p.V, 0, now); known {
		s.Take(pl.judge(now), s.At[p.Key], &r)
		return Test{}, changed
	}
	if pl.closing && s.MayEnd(pl.o) {
		return Test{}, ready
	}
	if pl.closing {
		return Test{}, nothing
	}
	if purpose == SetTrial && !pl.publisher.affords(s) {
		pl.trials.set = nil // the pair is drawn again
		return Test{}, nothing
	}
	p.Awaited = true
	s.Tally.Strata[kind].Awaited++
	if pl.trials.awaited[p.Key] {
		return Test{}, changed // a test of an earlier trial of the set
	}
	return pl.trials.test(purpose, "", &p.Pair), gave
}

// blame sends back a rule for a URL of the set's trial whose form is wrong.
func (pl *planner) blame(s *attempt.Set, purpose Purpose, now int64) (Test, step) {
	since := int64(0)
	if purpose == SetRecheck {
		since = pl.book.Round.At
	}
	for kind := range s.Kinds {
		for i := range s.Kinds[kind][:s.Next[kind]] {
			p := &s.Kinds[kind][i]
			if !attempt.Wrong(p.Outcome) {
				continue
			}
			if test, done := pl.sendBack(&s.Part, p, purpose, "", since, now); done != nothing {
				return test, done
			}
		}
	}
	return Test{}, nothing
}
