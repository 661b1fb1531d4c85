package lifecycle

import "dustbuster/operators/rule"

// owed returns the value, for each pair, of the trial of the set or of a recheck that
// is due.
func (pl *planner) owed(now int64) float64 {
	merged := 0
	for _, e := range pl.book.entries {
		if e.State == rule.Valid {
			merged += e.Support
		}
	}
	switch {
	case pl.owes():
		return float64(merged) / float64(max(1, pl.o.SetRequests))
	case len(pl.named.waiting) > 0, pl.book.round.isOpen(), pl.o.RecheckEvery > 0 && pl.book.publication.Sequence > 0 && now >= pl.book.round.lastFull()+pl.o.RecheckEvery:
		return float64(merged) / float64(max(1, pl.o.RecheckBudget))
	}
	return 0
}

// expected returns the value of the next trial: see Machine.Expected.
func (pl *planner) expected(candidates []rule.Candidate, now int64) float64 {
	most := make([][allGrounds]int, rule.Kinds()) // support
	take := func(id string, kind rule.Kind, g grounds, support int) {
		if pl.book.mayTry(pl.book.entries[id], support, now) {
			most[kind][g] = max(most[kind][g], support)
		}
	}
	for i := range candidates {
		c := &candidates[i]
		take(rule.ID(pl.book.site, &c.Rule), c.Rule.Kind, pl.o.groundsOf(c), c.Support)
	}
	if candidates == nil {
		for i := range pl.candidates {
			c := &pl.candidates[i]
			take(c.id, c.rule.Kind, c.grounds, c.support)
		}
	}
	chance, best := pl.book.chances(), pl.owed(now)
	for kind := range most {
		for g, support := range most[kind] {
			best = max(best, worthOf(pl.o, chance[kind][g], support, 1))
		}
	}
	return best
}
