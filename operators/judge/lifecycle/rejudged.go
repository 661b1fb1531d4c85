package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/trial"
)

// The outcome of a pair is derived again whenever the control of the rule on trial changes, and when
// the words of its other pairs are known. Whoever keeps a record of the outcomes is told at the
// verdict which of them are no longer as they were told.

// Rejudged is an outcome that differs from what Machine.Outcome returned for the pair. After a
// restart, all outcomes that led to a verdict count as different.
type Rejudged struct {
	U, V    string
	Purpose Purpose
	Rule    string // id of the rule on trial
	trial.Judgement
	Compared *trial.Compared // nil unless both documents were there
}

// Rejudged returns the outcomes that were judged anew for verdicts since the last call, in order.
func (m *Machine) Rejudged() []Rejudged {
	all := m.planner.rejudged
	m.planner.rejudged = nil
	return all
}

// tellRejudged notes the outcomes of a trial that differ from those told before. It is called before a
// verdict.
func (pl *planner) tellRejudged(a *attempt.Attempt) {
	purpose := Trial
	if a == pl.attempts.recheck {
		purpose = Recheck
	}
	for p := range a.Tried {
		if p.Seen != nil && pl.book.Memory.Tell(p.U, p.V, p.Outcome) {
			pl.rejudged = append(pl.rejudged, Rejudged{p.U, p.V, purpose, a.Candidate.ID, p.Outcome, p.Seen.Compared})
		}
	}
}
