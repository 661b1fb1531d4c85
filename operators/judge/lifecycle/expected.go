package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// owed returns the value, for each pair, of the trial of the set or of a recheck that
// is due.
func (m *Machine) owed(now int64) float64 {
	merged := 0
	for _, e := range m.book.Entries {
		if e.State == rule.Valid {
			merged += e.Support
		}
	}
	switch {
	case m.Owes():
		return float64(merged) / float64(max(1, m.o.SetRequests))
	case len(m.named.waiting) > 0, m.book.Round.IsOpen(), m.o.RecheckEvery > 0 && m.book.Publication.Sequence > 0 && now >= m.book.Round.LastFull()+m.o.RecheckEvery:
		return float64(merged) / float64(max(1, m.o.RecheckBudget))
	}
	return 0
}

// proving returns the greatest value of a proof that may go on, for each pair that it still takes.
func (m *Machine) proving(chance func(*book.Candidate) float64, now int64) (best float64) {
	for _, e := range m.book.Entries {
		if m.o.MayProve(e, now) {
			prior := chance(&book.Candidate{Rule: e.Rule, Grounds: e.Grounds})
			best = max(best, m.worthOfProof(e, prior, e.Gain, e.Verdict.Positives, func(int) float64 { return 1 }))
		}
	}
	return best
}

// Expected returns the number of forms that a site's next trial is expected to merge, for each pair
// that the trial takes. It uses the support of the site's candidates, the verdicts on other candidates
// of the same kind, and the work waiting for proofs, the trial of the set or a recheck. It is called for every
// site, to choose which is tried first, and takes no gains, which are costly to compute. Without
// candidates, the candidates of the last Load count. O(candidates · log).
func (m *Machine) Expected(candidates []rule.Candidate, now int64) float64 {
	most := make([][book.AllGrounds]int, rule.Kinds()) // support
	take := func(id string, kind rule.Kind, g book.Grounds, support int) {
		if m.book.MayTry(m.book.Entries[id], support, now) {
			most[kind][g] = max(most[kind][g], support)
		}
	}
	for i := range candidates {
		c := &candidates[i]
		take(rule.ID(m.book.Site, &c.Rule), c.Rule.Kind, m.o.GroundsOf(c), c.Support)
	}
	if candidates == nil {
		for i := range m.candidates {
			c := &m.candidates[i]
			take(c.ID, c.Rule.Kind, c.Grounds, c.Support)
		}
	}
	chance := m.book.Chances()
	best := max(m.owed(now), m.proving(chance.Of, now))
	for kind := range most {
		for g, support := range most[kind] {
			best = max(best, worthOf(m.o, chance[kind][g], support, 1))
		}
	}
	return best
}
