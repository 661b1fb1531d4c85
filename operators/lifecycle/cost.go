package lifecycle

import "dustbuster/operators/trial"

// The cost of a trial is the number of documents that the trial will request. A candidate
// whose pages were requested by other trials costs less than a candidate of unknown pages.

// leastCost is the cost of an outcome whose documents are known, in documents.
const leastCost = 0.25

// mostCost is the cost of an outcome whose documents are both unknown.
const mostCost = 2 + leastCost

// asked names a pair and its documents: see memory.
type asked struct {
	key  key
	urls [2]uint64
}

// first returns the pairs that a trial of a candidate draws first, as many as a verdict
// needs. first computes the pairs of a candidate at most once. O(moves · log).
func (w *view) first(c *candidate) []asked {
	if all, known := w.firsts[c.key()]; known {
		return all
	}
	pairs, _ := w.pairs(w.forms, w.moves(c))
	var t trial.Tally
	sum := 0
	for h := range pairs {
		t.Strata[h].Pairs = len(pairs[h])
		sum += len(pairs[h])
	}
	all := make([]asked, 0, w.o.Trial.Enough(sum))
	for len(all) < cap(all) {
		h, ok := t.Next(w.o.Trial)
		if !ok {
			break
		}
		p := &pairs[h][t.Strata[h].Awaited]
		t.Strata[h].Awaited++
		all = append(all, asked{p.key, [2]uint64{w.keys.document(p.u), w.keys.document(p.v)}})
	}
	w.firsts[c.key()] = all
	return all
}

// isKnown reports whether a pair has a result.
func (c *chooser) isKnown(p *asked) bool {
	_, known := c.book.memory.recent(p.key, c.now)
	return known
}

// cost returns the cost of one pair.
func (c *chooser) cost(p *asked) float64 {
	if c.isKnown(p) {
		return leastCost
	}
	cost := leastCost
	for _, document := range p.urls {
		if !c.book.memory.has(document, c.now) {
			cost++
		}
	}
	return cost
}

// worth returns the worth of a trial of a rule without tried pairs: the forms merged if the
// rule holds, for each document that the trial will request.
func (c *chooser) worth(n *candidate, prior float64) float64 {
	gain := c.view.gain(n)
	if gain < c.o.MinGain {
		return 0
	}
	first := c.view.first(n)
	holds, cost := c.o.Trial.Price(prior, 0, len(first), func(i int) float64 { return c.cost(&first[i]) })
	return float64(gain) * holds / cost
}
