package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
)

// The cost of a trial is the number of documents that it will request.

// The costs of an outcome, in documents.
const (
	leastCost = 0.25          // of a pair whose result is known
	mostCost  = 2 + leastCost // of any other
)

// cost returns the cost of a pair's outcome.
func (c *chooser) cost(k book.Key) float64 {
	if _, known := c.Book.Memory.Recent(k, c.Now); known {
		return leastCost
	}
	return mostCost
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
		alike, differ := c.shown.pairs(n)
		if differ += c.shown.gone(first); differ > 0 {
			prior = min(prior, chanceGiven(c.Options, prior, alike, differ))
		}
	}
	holds, cost := c.Options.Trial.Price(prior, 0, len(first), func(i int) float64 { return c.cost(first[i].Key) })
	return float64(gain) * holds / cost
}
