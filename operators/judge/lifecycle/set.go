package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

// sets tries L as a whole.
type sets struct {
	*life
	faults *faults
}

// publishIf publishes if a publication is due. idle reports whether nothing is left to try.
func (se *sets) publishIf(idle bool, now int64) (Look, step) {
	if !se.publisher.due(se.view, idle, now) {
		return Look{}, nothing
	}
	return se.publish(now)
}

// publish publishes the rules of L that may be published, after their trial as a whole. One rule alone was tried as
// it goes out: there is nothing to compose.
func (se *sets) publish(now int64) (Look, step) {
	if out := se.publisher.outgoing(se.view).list; len(out) == 1 && out[0].Rank == 1 { // of rank 1: tried under no other rule
		se.do(book.Act{Publication: se.publisher.next(se.view, se.sampleOf(out[0]), now)})
		return Look{}, changed
	}
	if look, s := se.trySet(func(s *trials.Set) bool { return s.MayPublish(se.o) }, SetTrial, now); s != ready {
		return look, s
	}
	se.do(book.Act{Publication: se.publisher.next(se.view, se.ongoing.set.Summary(), now)})
	return Look{}, changed
}

// sampleOf returns what the trial of the only rule shows of the set.
func (se *sets) sampleOf(e *book.Entry) rule.Sample {
	v := &e.Verdict
	return rule.Sample{URLs: trials.NewSet(se.view, []*book.Entry{e}).URLs(), Samples: v.Samples, Negatives: v.Negatives, Skipped: v.Skipped, Bound: v.Bound}
}

// further continues the trial of the published set, or begins that of a rule that went out alone, until its share of
// negatives is shown to be below SetLimit. It applies if nothing else is to do, fetches are left, and no recheck will continue the
// trial.
func (se *sets) further(now int64) (Look, step) {
	if se.o.RecheckEvery > 0 || se.rest > NoRest || se.book.Publication.Sequence == 0 || se.publisher.hasUpdate(se.view) {
		return Look{}, nothing
	}
	look, s := se.trySet(func(s *trials.Set) bool {
		return s.Shown(se.o.SetLimit) || s.HasTaken(se.o, se.book.Memory.Tried()) && s.MayPublish(se.o)
	}, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return look, s
}

// trySet continues the trial of the set until enough reports true. The result is a look,
// or a step: something was done, the trial is ready, or nothing can be done now.
func (se *sets) trySet(enough func(*trials.Set) bool, purpose Purpose, now int64) (Look, step) {
	if out := se.publisher.outgoing(se.view).list; se.ongoing.set == nil || !slices.Equal(se.ongoing.set.List, out) {
		se.ongoing.set = trials.NewSet(se.view, out)
	}
	s := se.ongoing.set
	for {
		if look, done := se.blame(s, purpose, now); done != nothing {
			return look, done
		}
		switch {
		case se.closing && len(s.Doubt)+s.Looking > 0:
			return Look{}, nothing
		case len(s.Doubt) > 0 && se.goesOnLater(theSet, s.FirstAt(), now):
			return Look{}, nothing
		case len(s.Doubt) > 0:
			return se.ongoing.look(purpose, "", s.LookAgain()), gave
		case s.Looking > 0:
			return Look{}, waiting
		case enough(s):
			return Look{}, ready
		}
		if sum := s.Tally.Sum(); sum.Outcomes()+sum.Skipped >= se.o.Trial.Attempts && sum.Outcomes() < se.o.Trial.Minimum {
			return Look{}, nothing
		}
		if look, done := se.drawOfSet(s, purpose, now); done != changed {
			return look, done
		}
	}
}

// drawOfSet gives out the next pair of the set. The step is changed if the outcome of the pair is known or
// awaited, ready if the trial may end, and nothing if requests must be saved.
func (se *sets) drawOfSet(s *trials.Set, purpose Purpose, now int64) (Look, step) {
	kind, p := s.Draw()
	if p == nil {
		return Look{}, waiting
	}
	if r, known := se.book.Memory.Known(p.U, p.V, 0, now); known {
		s.Take(se.judge(now), s.At[p.Key], &r)
		return Look{}, changed
	}
	if se.closing && s.MayEnd(se.o) {
		return Look{}, ready
	}
	if se.closing {
		return Look{}, nothing
	}
	if p := se.publisher; purpose == SetTrial && p.early.on && !p.early.affords(p.grown(se.view), s, se.o.SetRequests) {
		se.ongoing.set = nil // the pair is drawn again
		return Look{}, nothing
	}
	p.Awaited = true
	s.Tally.Strata[kind].Awaited++
	if se.ongoing.awaited[p.Key] {
		return Look{}, changed // a look of an earlier trial of the set
	}
	return se.ongoing.look(purpose, "", p), gave
}

// blame sends back a rule for a URL of the set's trial whose form is wrong.
func (se *sets) blame(s *trials.Set, purpose Purpose, now int64) (Look, step) {
	since := int64(0)
	if purpose == SetRecheck {
		since = se.book.Round.At
	}
	for kind := range s.Kinds {
		for i := range s.Kinds[kind][:s.Next[kind]] {
			p := &s.Kinds[kind][i]
			if !trials.Wrong(p.Outcome) {
				continue
			}
			if look, done := se.faults.sendBack(&s.Part, p, purpose, "", since, now); done != nothing {
				return look, done
			}
		}
	}
	return Look{}, nothing
}
