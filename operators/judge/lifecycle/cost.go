package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// The cost of a trial is the number of documents that it will request. A candidate whose pages were
// requested by other trials costs less than one of unknown pages. An unknown document that another
// candidate's trial would request as well is shared: see needs.

// leastCost is the cost of an outcome whose documents are known, in documents.
const leastCost = 0.25

// mostCost is the cost of an outcome whose documents are both unknown.
const mostCost = 2 + leastCost

// isKnown reports whether a pair has a result.
func (c *chooser) isKnown(p *forms.Asked) bool {
	_, known := c.Book.Memory.Recent(p.Key, c.Now)
	return known
}

// cost returns the cost of one pair of a candidate.
func (c *chooser) cost(n *book.Candidate, p *forms.Asked) float64 {
	if c.isKnown(p) {
		return leastCost
	}
	if c.Options.Off.KnownCost {
		return mostCost
	}
	cost := leastCost
	for side, document := range p.URLs {
		if !c.Book.Memory.Has(document, c.Now) {
			cost += 1 - c.needs.shared(n.Key(), p, side)
		}
	}
	return cost
}

// worth returns the worth of a trial of a rule without tried pairs: the forms merged if the
// rule holds, for each document that the trial will request.
func (c *chooser) worth(n *book.Candidate, prior float64) float64 {
	gain := c.View.Gain(n)
	if gain < c.Options.MinGain {
		return 0
	}
	first := c.View.Drawing(n).First
	if c.View.IsLarge(gain) {
		alike, differ := c.shownPairs(n)
		if differ += c.gone(first); differ > 0 {
			prior = min(prior, chanceGiven(c.Options, prior, alike, differ))
		}
	}
	holds, cost := c.Options.Trial.Price(prior, 0, len(first), func(i int) float64 { return c.cost(n, &first[i]) })
	return float64(gain) * holds / cost
}

// costOf returns the number of documents requested for the look: those that were not requested a
// short time ago.
func (t *Look) costOf(m *book.Memory, s *trial.Seen, now int64) (n int) {
	asked := m.Keys.Requested(t.U, t.V, s)
	for side, document := range asked {
		again := t.Fresh && (!t.OnlyV || side > 0)
		if document != 0 && (side == 0 || document != asked[0]) && (again || !m.Has(document, now)) {
			n++
		}
	}
	return n
}
