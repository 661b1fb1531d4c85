package miner

import (
	"cmp"

	"dustbuster/operators/rule"
)

// Example returns two similar URLs of the window that a rule joins: of those that not only scanners requested, the pair
// with the most hits on the first; of equal ones the least in byte order. O(URLs that hold the rarest token of the rule),
// and what Notes takes.
func (a *Reach) Example(r *rule.Rule) (u, v string, ok bool) {
	var best example
	for u, v := range a.Meetings(r) {
		best.meet(a, u, v)
	}
	if !best.found { // the rule joins pages by an occurrence that it does not edit itself
		for _, p := range a.Pairs(r) {
			best.meet(a, int(p[0]), int(p[1]))
		}
	}
	if !best.found {
		return "", "", false
	}
	return a.pages[best.u].URL, a.pages[best.v].URL, true
}

// PairHits returns the hits on the first of two pages, or -1 if scanners alone requested one of them.
func (a *Reach) PairHits(u, v int) int64 {
	if s := a.Notes(); s.Scanned(u) || s.Scanned(v) {
		return -1
	}
	hits, _ := a.Hits(u)
	return hits
}

// example is the best of some pairs of pages.
type example struct {
	u, v  int
	hits  int64
	found bool
}

// meet takes a pair if it is better.
func (e *example) meet(a *Reach, u, v int) {
	if !a.Alike(u, v) {
		return
	}
	hits := a.PairHits(u, v)
	if !e.found || cmp.Or(cmp.Compare(e.hits, hits), cmp.Compare(u, e.u), cmp.Compare(v, e.v)) < 0 {
		*e = example{u, v, hits, true}
	}
}
