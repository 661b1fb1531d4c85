package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// owed returns the value, for each pair, of the trial of the set or of a recheck that
// is due.
func (an *Answers) owed(now int64) float64 {
	merged := 0
	for _, e := range an.book.Entries {
		if e.State == rule.Valid {
			merged += e.Support
		}
	}
	switch {
	case an.Owes():
		return float64(merged) / float64(max(1, an.o.SetRequests))
	case len(an.dialogue.named.waiting) > 0, an.book.Round.IsOpen(), an.o.RecheckEvery > 0 && an.book.Publication.Sequence > 0 && now >= an.book.Round.LastFull()+an.o.RecheckEvery:
		return float64(merged) / float64(max(1, an.o.RecheckBudget))
	}
	return 0
}

// proving returns the greatest value of a proof that may go on, for each pair that it still takes.
func (an *Answers) proving(chance func(*book.Candidate) float64, now int64) (best float64) {
	for _, e := range an.book.Entries {
		if an.o.MayProve(e, now) {
			prior := chance(&book.Candidate{Rule: e.Rule, Grounds: e.Grounds})
			best = max(best, an.prover.worthOfProof(e, prior, e.Gain, e.Verdict.Positives, func(int) float64 { return 1 }))
		}
	}
	return best
}

// Expected returns the number of forms that a site's next trial is expected to merge, for each pair
// that the trial takes. It uses the support of the site's candidates, the verdicts on other candidates
// of the same kind, and the work waiting for proofs, the trial of the set or a recheck. It is called for every
// site, to choose which is tried first, and takes no gains, which are costly to compute. Without
// candidates, the candidates of the last Load count. O(candidates · log).
func (an *Answers) Expected(candidates []rule.Candidate, now int64) float64 {
	most := make([][book.AllGrounds]int, rule.Kinds()) // support
	take := func(id string, kind rule.Kind, g book.Grounds, support int) {
		if an.book.MayTry(an.book.Entries[id], support, now) {
			most[kind][g] = max(most[kind][g], support)
		}
	}
	for i := range candidates {
		c := &candidates[i]
		take(rule.ID(an.book.Site, &c.Rule), c.Rule.Kind, an.o.GroundsOf(c), c.Support)
	}
	if candidates == nil {
		for i := range an.candidates {
			c := &an.candidates[i]
			take(c.ID, c.Rule.Kind, c.Grounds, c.Support)
		}
	}
	chance := an.book.Chances()
	best := max(an.owed(now), an.proving(chance.Of, now))
	for kind := range most {
		for g, support := range most[kind] {
			best = max(best, worthOf(an.o, chance[kind][g], support, 1))
		}
	}
	return best
}
