package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
)

// publish publishes the rules of L that may be published, after their trial as a whole.
func (pl *planner) publish(now int64) (Look, step) {
	if look, s := pl.trySet(func(s *attempt.Set) bool { return s.MayPublish(pl.o) }, SetTrial, now); s != ready {
		return look, s
	}
	pl.do(book.Act{Publication: pl.publisher.next(pl.view, pl.attempts.set.Summary(), now)})
	return Look{}, changed
}

// further continues the trial of the published set until its share of negatives is shown to be below
// SetLimit. It applies if nothing else is to do, fetches are left, and no recheck will continue the
// trial.
func (pl *planner) further(now int64) (Look, step) {
	if pl.o.RecheckEvery > 0 || pl.rest > NoRest || pl.book.Publication.Sequence == 0 || pl.publisher.hasUpdate(pl.view) {
		return Look{}, nothing
	}
	look, s := pl.trySet(func(s *attempt.Set) bool { return s.Shown(pl.o.SetLimit) || s.HasTaken(pl.o, pl.book.Memory.Tried()) }, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return look, s
}

// trySet continues the trial of the set until enough reports true. The result is a look,
// or a step: something was done, the trial is ready, or nothing can be done now.
func (pl *planner) trySet(enough func(*attempt.Set) bool, purpose Purpose, now int64) (Look, step) {
	if out := pl.publisher.outgoing(pl.view).list; pl.attempts.set == nil || !slices.Equal(pl.attempts.set.List, out) {
		pl.attempts.set = attempt.NewSet(pl.view, out)
	}
	s := pl.attempts.set
	for {
		if look, done := pl.blame(s, purpose, now); done != nothing {
			return look, done
		}
		switch {
		case pl.closing && len(s.Doubt)+s.Looking > 0:
			return Look{}, nothing
		case len(s.Doubt) > 0:
			return pl.attempts.second(purpose, "", s.LookAgain()), gave
		case s.Looking > 0:
			return Look{}, waiting
		case enough(s):
			return Look{}, ready
		}
		if sum := s.Tally.Sum(); sum.Outcomes()+sum.Skipped >= pl.o.Trial.Attempts && sum.Outcomes() < pl.o.Trial.Minimum {
			return Look{}, nothing
		}
		if look, done := pl.drawOfSet(s, purpose, now); done != changed {
			return look, done
		}
	}
}

// drawOfSet gives out the next pair of the set. The step is changed if the outcome of the pair is known or
// awaited, ready if the trial may end, and nothing if requests must be saved.
func (pl *planner) drawOfSet(s *attempt.Set, purpose Purpose, now int64) (Look, step) {
	kind, p := s.Draw()
	if p == nil {
		return Look{}, waiting
	}
	if r, known := pl.book.Memory.Known(p.U, p.V, 0, now); known {
		s.Take(pl.judge(now), s.At[p.Key], &r)
		return Look{}, changed
	}
	if pl.closing && s.MayEnd(pl.o) {
		return Look{}, ready
	}
	if pl.closing {
		return Look{}, nothing
	}
	if purpose == SetTrial && !pl.publisher.affords(pl.view, s) {
		pl.attempts.set = nil // the pair is drawn again
		return Look{}, nothing
	}
	p.Awaited = true
	s.Tally.Strata[kind].Awaited++
	if pl.attempts.awaited[p.Key] {
		return Look{}, changed // a look of an earlier trial of the set
	}
	return pl.attempts.look(purpose, "", &p.Pair), gave
}

// blame sends back a rule for a URL of the set's trial whose form is wrong.
func (pl *planner) blame(s *attempt.Set, purpose Purpose, now int64) (Look, step) {
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
			if look, done := pl.sendBack(&s.Part, p, purpose, "", since, now); done != nothing {
				return look, done
			}
		}
	}
	return Look{}, nothing
}
