package weight

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Options are the parameters of the weights.
type Options struct {
	Key        [2]uint64 // of the hashes that select pairs
	Similarity evidence.Similarity
}

// Shown is the least weight of a rule that is shown to people unasked.
const Shown = 3

// A Weigher weighs rules by one list of URLs. A Weigher belongs to one goroutine.
type Weigher struct {
	*list
	pages   *census   // of all pages
	shares  []float64 // by number: the share of pages that are similar; -1: not yet computed
	votes   []vote
	seen    map[[2]int64]bool // cells that have voted
	control *census           // of u2 of the votes
	sample  sample
	buf     []byte

	stop    func() bool
	steps   int
	stopped bool
}

// New returns a Weigher of a list of pages, which must not change. The URLs must differ.
func New(pages []evidence.Page, o Options) *Weigher {
	w := &Weigher{list: newList(pages, o), seen: map[[2]int64]bool{}}
	w.shares = make([]float64, len(pages))
	w.control = newCensus(w.list)
	w.pages = newCensus(w.list)
	for id := range pages {
		w.shares[id] = -1
		w.pages.add(uint32(id), w.hashes[id])
	}
	w.pages.settle()
	return w
}

// Weigh sets Pairs, Alike, Expected and Weight of each rule. The result does not depend on
// the order of pages or rules.
//
// Weigh calls stop now and then. If stop returns true, Weigh returns false, and only some of
// the rules are weighed.
func (w *Weigher) Weigh(rules []rule.Likely, stop func() bool) bool {
	w.stop, w.steps, w.stopped = stop, 0, false
	w.eachSubstring(rules)
	w.eachDrop(rules)
	w.eachOther(rules)
	return !w.stopped
}

// stopEvery is the number of URLs visited between two calls of stop.
const stopEvery = 4096

// stops reports whether the run is to stop. It counts the given number of visited URLs.
func (w *Weigher) stops(visited int) bool {
	if w.steps += visited; w.steps >= stopEvery && !w.stopped {
		w.steps = 0
		w.stopped = w.stop()
	}
	return w.stopped
}

// set sets the figures of a rule whose pairs are in the sample.
func (w *Weigher) set(r *rule.Likely) {
	w.sample.settle()
	pairs := w.sample.pairs
	r.Weighed, r.Pairs, r.Alike = true, len(pairs), 0
	for _, p := range pairs {
		if w.similar(p.u, p.v) {
			r.Alike++
		}
	}
	w.poll(pairs)
	k := 0
	for _, v := range w.votes {
		if v.similar {
			k++
		}
	}
	q := w.chance()
	r.Expected = q * float64(r.Pairs)
	r.Weight = ratio(len(w.votes), k, q)
}
