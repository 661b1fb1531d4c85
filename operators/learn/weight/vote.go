package weight

import (
	"math"
	"slices"

	"dustbuster/operators/window/evidence"
)

// vote is a pair that stands for all pairs of its two sizes.
type vote struct {
	u, v    uint32
	similar bool
}

// mostVotes is the greatest number of votes of a rule.
const mostVotes = 300

// poll sets the votes of the pairs, which are in the order of their hashes.
func (w *Weigher) poll(pairs []pair) {
	w.votes = w.votes[:0]
	w.seen.polls++
	for _, p := range pairs {
		if w.seen.add(w.cells(p)) {
			w.votes = append(w.votes, vote{p.u, p.v, w.similar(p.u, p.v)})
		}
		if len(w.votes) == mostVotes {
			return
		}
	}
}

// seen are the pairs of cells that have voted in a poll: open addressing with linear probing.
type seen struct {
	slots [1024]struct { // at least twice mostVotes, so a search soon finds a free slot
		cells [2]int64
		poll  int
	}
	polls int // number of the poll; slots of others are free
}

// add adds a pair of cells, and reports whether it is new.
func (s *seen) add(cells [2]int64) bool {
	for at := (uint64(cells[0])*0x9e3779b97f4a7c15 + uint64(cells[1])) * 0xd6e8feb86659fd93 >> 54; ; at = (at + 1) % uint64(len(s.slots)) {
		slot := &s.slots[at]
		if slot.poll != s.polls {
			slot.cells, slot.poll = cells, s.polls
			return true
		}
		if slot.cells == cells {
			return false
		}
	}
}

// cells returns the cells of the two pages of a pair, in the class in which the pages are
// compared.
func (w *Weigher) cells(p pair) [2]int64 {
	e, f := w.evidence(p.u), w.evidence(p.v)
	class, _ := e.Common(f)
	return [2]int64{cell(e, class), cell(f, class)}
}

// width is the natural logarithm of the ratio of the two ends of a cell of sizes.
var width = math.Log(1.05)

// cell returns the digest of a page, or the number of the cell that holds the smallest size
// in a class.
func cell(e evidence.Spans, class uint8) int64 {
	for _, s := range e {
		if s.Class != class {
			continue
		}
		if class == evidence.Digest {
			return s.Min
		}
		return int64(math.Floor(math.Log(float64(s.Min)) / width))
	}
	return 0
}

// chance returns q, the chance that two pages of the votes are similar without the rule.
func (w *Weigher) chance() float64 {
	if len(w.votes) == 0 {
		return 0
	}
	d, m := w.shuffle()
	p := 0.0
	for _, v := range w.votes {
		p += w.share(v.u)
	}
	p /= float64(len(w.votes))
	return min((m+2*p)/(d+2), 0.999)
}

// shuffle is the shuffle control: of u1 of each vote with each u2 that differs from its
// own, the number of pairs that can be compared, and of similar ones.
func (w *Weigher) shuffle() (comparable, similar float64) {
	w.control.reset()
	for i, v := range w.votes {
		w.control.add(v.v, uint64(i))
	}
	w.control.settle()
	w.own = w.own[:0]
	for _, v := range w.votes {
		c, s := w.control.count(w.evidence(v.u))
		comparable += c
		similar += s
		own := uint64(v.v) << 1
		if v.similar {
			own++
		}
		w.own = append(w.own, own)
	}
	slices.Sort(w.own)
	for own := w.own; len(own) > 0; {
		n, alike := 0, 0
		for ; n < len(own) && own[n]>>1 == own[0]>>1; n++ {
			alike += int(own[n] & 1)
		}
		comparable -= float64(n * n)
		similar -= float64(n * alike)
		own = own[n:]
	}
	return comparable, similar
}

// share returns the share, of the pages that can be compared with a page, that are similar to
// it.
func (w *Weigher) share(id uint32) float64 {
	if w.shares[id] < 0 {
		c, s := w.pages.count(w.evidence(id))
		w.shares[id] = s / c
	}
	return w.shares[id]
}

// ratio returns the weight of n votes of which k are similar, against a chance.
func ratio(n, k int, chance float64) float64 {
	votes, alike := float64(n), float64(k)
	if alike <= chance*votes {
		return 0
	}
	weight := alike * math.Log(alike/(chance*votes))
	if k < n {
		weight += (votes - alike) * math.Log((votes-alike)/(votes*(1-chance)))
	}
	return weight
}
