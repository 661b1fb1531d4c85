package lifecycle

import "dustbuster/operators/rule"

// Expected returns the number of forms that a site's next trial is expected to merge, for
// each pair that the trial takes. Expected uses the support of the site's candidates, the
// verdicts on other candidates of the same kind, and the work waiting for the trial of the
// set or a re-validation. Expected decides which sites are tried first, so Expected must be
// cheap: gains are costly and are computed only when the site is tried. Without candidates,
// the candidates of the last Load count. O(candidates · log).
func (m *Machine) Expected(candidates []rule.Candidate, now int64) float64 {
	var most [rule.Set + 1]int // support, by kind
	take := func(id string, r *rule.Rule, support int) {
		if m.book.mayTry(m.book.entries[id], support, now) {
			most[r.Kind] = max(most[r.Kind], support)
		}
	}
	for i := range candidates {
		c := &candidates[i]
		take(rule.ID(m.site, &c.Rule), &c.Rule, c.Support)
	}
	if candidates == nil {
		for i := range m.candidates {
			c := &m.candidates[i]
			take(c.id, &c.rule, c.support)
		}
	}
	chance, best := m.book.priors(), m.owed(now)
	for kind, support := range most {
		best = max(best, m.o.worth(chance[kind], support))
	}
	return best
}

// owed returns the value, for each pair, of the trial of the set or of a re-validation that
// is due.
func (m *Machine) owed(now int64) float64 {
	merged := 0
	for _, e := range m.book.entries {
		if e.State == rule.Valid {
			merged += e.Support
		}
	}
	switch {
	case m.Owes():
		return float64(merged) / float64(max(1, m.o.SetRequests))
	case m.book.round.isOpen(), m.o.RecheckEvery > 0 && m.book.publication.Sequence > 0 && now >= m.book.round.full()+m.o.RecheckEvery:
		return float64(merged) / float64(max(1, m.o.RecheckBudget))
	}
	return 0
}
