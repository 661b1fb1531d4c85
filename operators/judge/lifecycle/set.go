package lifecycle

import "slices"

// publish publishes the rules of L that may be published, after their trial as a whole.
func (pl *planner) publish(now int64) (Test, step) {
	if test, s := pl.trySet(func(s *setTrial) bool { return s.mayPublish(pl.o) }, SetTrial, now); s != ready {
		return test, s
	}
	pl.do(Act{Publication: pl.publisher.next(pl.view, pl.trials.set.summary(), now)})
	return Test{}, changed
}

// further continues the trial of the published set until the share of negatives is shown to
// be below the set's limit. further applies if nothing else is to do, fetches are left, and
// no recheck will continue the trial.
func (pl *planner) further(now int64) (Test, step) {
	if pl.o.RecheckEvery > 0 || pl.rest > NoRest || pl.book.publication.Sequence == 0 || pl.publisher.hasUpdate(pl.view) {
		return Test{}, nothing
	}
	test, s := pl.trySet(func(s *setTrial) bool { return s.shown(pl.o.SetLimit) || s.hasTaken(pl.o, pl.book.memory.tried()) }, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return test, s
}

// trySet continues the trial of the set until enough reports true. The result is a test,
// or a step: something was done, the trial is ready, or nothing can be done now.
func (pl *planner) trySet(enough func(*setTrial) bool, purpose Purpose, now int64) (Test, step) {
	if out := pl.publisher.outgoing(pl.view).list; pl.trials.set == nil || !slices.Equal(pl.trials.set.list, out) {
		pl.trials.set = newSetTrial(pl.view, out)
	}
	s := pl.trials.set
	for {
		if test, done := pl.blame(s, purpose, now); done != nothing {
			return test, done
		}
		switch {
		case pl.closing && len(s.doubt)+s.looking > 0:
			return Test{}, nothing
		case len(s.doubt) > 0:
			return pl.trials.second(purpose, "", s.lookAgain()), gave
		case s.looking > 0:
			return Test{}, waiting
		case enough(s):
			return Test{}, ready
		}
		if sum := s.tally.Sum(); sum.Outcomes()+sum.Skipped >= pl.o.Trial.Attempts && sum.Outcomes() < pl.o.Trial.Minimum {
			return Test{}, nothing
		}
		kind, p := s.draw()
		if p == nil {
			return Test{}, waiting
		}
		if r, known := pl.book.memory.known(p.u, p.v, 0, now); known {
			s.take(pl.judge(now), s.at[p.key], &r)
			continue
		}
		if pl.closing && s.mayEnd(pl.o) {
			return Test{}, ready
		}
		if pl.closing {
			return Test{}, nothing
		}
		if purpose == SetTrial && !pl.publisher.affords(s) {
			pl.trials.set = nil // the pair is drawn again
			return Test{}, nothing
		}
		p.awaited = true
		s.tally.Strata[kind].Awaited++
		if pl.trials.awaited[p.key] {
			continue // a test of an earlier trial of the set
		}
		return pl.trials.test(purpose, "", &p.pair), gave
	}
}

// blame sends back a rule for a URL of the set's trial whose form is wrong.
func (pl *planner) blame(s *setTrial, purpose Purpose, now int64) (Test, step) {
	since := int64(0)
	if purpose == SetRecheck {
		since = pl.book.round.At
	}
	for kind := range s.kinds {
		for i := range s.kinds[kind][:s.next[kind]] {
			p := &s.kinds[kind][i]
			if !wrong(p.outcome) {
				continue
			}
			if test, done := pl.sendBack(&s.part, p, purpose, "", since, now); done != nothing {
				return test, done
			}
		}
	}
	return Test{}, nothing
}
