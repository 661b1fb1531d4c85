package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
)

// publish publishes the rules of L that may be published, after their trial as a whole.
func (m *Machine) publish(now int64) (Look, step) {
	if look, s := m.trySet(func(s *attempt.Set) bool { return s.MayPublish(m.o) }, SetTrial, now); s != ready {
		return look, s
	}
	m.do(book.Act{Publication: m.publisher.next(m.view, m.attempts.set.Summary(), now)})
	return Look{}, changed
}

// further continues the trial of the published set until its share of negatives is shown to be below
// SetLimit. It applies if nothing else is to do, fetches are left, and no recheck will continue the
// trial.
func (m *Machine) further(now int64) (Look, step) {
	if m.o.RecheckEvery > 0 || m.rest > NoRest || m.book.Publication.Sequence == 0 || m.publisher.hasUpdate(m.view) {
		return Look{}, nothing
	}
	look, s := m.trySet(func(s *attempt.Set) bool { return s.Shown(m.o.SetLimit) || s.HasTaken(m.o, m.book.Memory.Tried()) }, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return look, s
}

// trySet continues the trial of the set until enough reports true. The result is a look,
// or a step: something was done, the trial is ready, or nothing can be done now.
func (m *Machine) trySet(enough func(*attempt.Set) bool, purpose Purpose, now int64) (Look, step) {
	if out := m.publisher.outgoing(m.view).list; m.attempts.set == nil || !slices.Equal(m.attempts.set.List, out) {
		m.attempts.set = attempt.NewSet(m.view, out)
	}
	s := m.attempts.set
	for {
		if look, done := m.blame(s, purpose, now); done != nothing {
			return look, done
		}
		switch {
		case m.closing && len(s.Doubt)+s.Looking > 0:
			return Look{}, nothing
		case len(s.Doubt) > 0:
			return m.attempts.second(purpose, "", s.LookAgain()), gave
		case s.Looking > 0:
			return Look{}, waiting
		case enough(s):
			return Look{}, ready
		}
		if sum := s.Tally.Sum(); sum.Outcomes()+sum.Skipped >= m.o.Trial.Attempts && sum.Outcomes() < m.o.Trial.Minimum {
			return Look{}, nothing
		}
		if look, done := m.drawOfSet(s, purpose, now); done != changed {
			return look, done
		}
	}
}

// drawOfSet gives out the next pair of the set. The step is changed if the outcome of the pair is known or
// awaited, ready if the trial may end, and nothing if requests must be saved.
func (m *Machine) drawOfSet(s *attempt.Set, purpose Purpose, now int64) (Look, step) {
	kind, p := s.Draw()
	if p == nil {
		return Look{}, waiting
	}
	if r, known := m.book.Memory.Known(p.U, p.V, 0, now); known {
		s.Take(m.judge(now), s.At[p.Key], &r)
		return Look{}, changed
	}
	if m.closing && s.MayEnd(m.o) {
		return Look{}, ready
	}
	if m.closing {
		return Look{}, nothing
	}
	if purpose == SetTrial && !m.publisher.affords(m.view, s) {
		m.attempts.set = nil // the pair is drawn again
		return Look{}, nothing
	}
	p.Awaited = true
	s.Tally.Strata[kind].Awaited++
	if m.attempts.awaited[p.Key] {
		return Look{}, changed // a look of an earlier trial of the set
	}
	return m.attempts.look(purpose, "", &p.Pair), gave
}

// blame sends back a rule for a URL of the set's trial whose form is wrong.
func (m *Machine) blame(s *attempt.Set, purpose Purpose, now int64) (Look, step) {
	since := int64(0)
	if purpose == SetRecheck {
		since = m.book.Round.At
	}
	for kind := range s.Kinds {
		for i := range s.Kinds[kind][:s.Next[kind]] {
			p := &s.Kinds[kind][i]
			if !attempt.Wrong(p.Outcome) {
				continue
			}
			if look, done := m.sendBack(&s.Part, p, purpose, "", since, now); done != nothing {
				return look, done
			}
		}
	}
	return Look{}, nothing
}
