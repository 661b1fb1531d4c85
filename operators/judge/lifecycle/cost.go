package lifecycle

import "dustbuster/operators/judge/trial"

// The cost of a trial is the number of documents that the trial will request. A candidate
// whose pages were requested by other trials costs less than a candidate of unknown pages. An unknown
// document that another candidate's trial would request as well is shared: see needs.

// leastCost is the cost of an outcome whose documents are known, in documents.
const leastCost = 0.25

// mostCost is the cost of an outcome whose documents are both unknown.
const mostCost = 2 + leastCost

// asked names a pair and its documents: see memory.
type asked struct {
	key  key
	urls [2]uint64
	part float64 // see drawing
}

// drawing is the beginning of the trial of a candidate.
type drawing struct {
	first []asked           // as many pairs as a verdict needs
	rare  map[int32]float64 // of the forms of small strata, and of unlike pairs: the part of a pair for which an outcome counts
}

// part returns the part for which the outcome of a form's pair counts.
func (d *drawing) part(form int32) float64 {
	if part, rare := d.rare[form]; rare {
		return part
	}
	return 1
}

// drawing computes the beginning of the trial of a candidate at most once. O(moves · log).
func (w *view) drawing(c *candidate) *drawing {
	if d, known := w.drawings[c.key()]; known {
		return d
	}
	d := &drawing{rare: map[int32]float64{}}
	w.drawings[c.key()] = d
	pairs, _ := w.pairs(w.forms, w.moves(c))
	var t trial.Tally
	sum := 0
	for h := range pairs {
		t.Strata[h].Pairs = len(pairs[h])
		sum += len(pairs[h])
	}
	for h := range pairs {
		if part := t.Strata[h].Part(sum); part < 1 {
			for i := range pairs[h] {
				d.rare[w.forms.number[pairs[h][i].form]] = part
			}
		}
	}
	for _, form := range unlikeForms(allOf(&pairs)) { // an exception may explain them
		d.rare[w.forms.number[form]] = 0
	}
	for range w.o.Trial.Enough(sum) {
		h, ok := t.Next(w.o.Trial)
		if !ok {
			break
		}
		p := &pairs[h][t.Strata[h].Awaited]
		t.Strata[h].Awaited++
		d.first = append(d.first, asked{p.key, [2]uint64{w.keys.document(p.u), w.keys.document(p.v)}, t.Strata[h].Part(sum)})
	}
	return d
}

// isKnown reports whether a pair has a result.
func (c *chooser) isKnown(p *asked) bool {
	_, known := c.book.memory.recent(p.key, c.now)
	return known
}

// cost returns the cost of one pair of a candidate.
func (c *chooser) cost(n *candidate, p *asked) float64 {
	if c.isKnown(p) {
		return leastCost
	}
	if c.o.Off.KnownCost {
		return mostCost
	}
	cost := leastCost
	for side, document := range p.urls {
		if !c.book.memory.has(document, c.now) {
			cost += 1 - c.needs.shared(n.key(), p, side)
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
	first := c.view.drawing(n).first
	if c.view.isLarge(gain) {
		alike, differ := c.shownPairs(n)
		if differ += c.gone(first); differ > 0 {
			prior = min(prior, chanceGiven(c.o, prior, alike, differ))
		}
	}
	holds, cost := c.o.Trial.Price(prior, 0, len(first), func(i int) float64 { return c.cost(n, &first[i]) })
	return float64(gain) * holds / cost
}
