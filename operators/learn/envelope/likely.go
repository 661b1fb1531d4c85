package envelope

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// likely holds the pairs whose support is at least MS, and those that have crossed MS since
// the last call of Crossings.
type likely struct {
	now     []likelyPair // in no order; a pair's supports has its number
	crossed map[uint64]crossing
	text    int // bytes of the sides in now
}

type likelyPair struct {
	dust.Candidate
	key uint64
}

// crossing is a pair on the other side of MS than at the last call of Crossings.
type crossing struct {
	pair dust.Pair
	was  bool // the pair was likely
}

func newLikely() likely { return likely{crossed: map[uint64]crossing{}} }

// rise makes a pair likely. It returns what supports has of a likely pair.
func (l *likely) rise(key uint64, s supports, p dust.Pair) supports {
	l.now = append(l.now, likelyPair{dust.Candidate{Pair: p, Support: int(s.low), SupportHigh: int(s.high)}, key})
	l.text += len(p.Alpha) + len(p.Beta)
	l.cross(key, p, false)
	return supports{isLikely, uint32(len(l.now) - 1)}
}

// fall is the reverse. The last pair gets the number of the pair that falls.
func (x *Index) fall(number uint32) supports {
	p, last := x.now[number], len(x.now)-1
	x.text -= len(p.Alpha) + len(p.Beta)
	x.cross(p.key, p.Pair, true)
	if int(number) < last {
		x.now[number] = x.now[last]
		x.pairs.find(x.now[number].key).high = number
	}
	x.now[last] = likelyPair{}
	x.now = x.now[:last]
	return p.supports()
}

func (l *likely) cross(key uint64, p dust.Pair, was bool) {
	if _, again := l.crossed[key]; again { // the pair is back at the old state
		delete(l.crossed, key)
	} else if l.crossed != nil {
		l.crossed[key] = crossing{p, was}
	}
}

// Likely returns the pairs whose support is at least MS, in no order. O(likely).
func (x *Index) Likely() []dust.Candidate {
	list := make([]dust.Candidate, len(x.now))
	for i := range x.now {
		list[i] = x.now[i].Candidate
	}
	return list
}

// Rules returns the likely pairs as rules of a learner, without a site, in the order of [rule.Compare]. They
// are those that phase 2 leaves, or all likely pairs if noRefine is set.
func (x *Index) Rules(learner string, noRefine bool) []rule.Likely {
	return RulesOf(learner, x.Likely(), noRefine)
}

// RulesOf is Index.Rules of the result of Likely, which it does not change.
func RulesOf(learner string, pairs []dust.Candidate, noRefine bool) []rule.Likely {
	if noRefine {
		pairs = slices.SortedFunc(slices.Values(pairs), dust.CompareSupport)
	} else {
		pairs = dust.Refine(pairs)
	}
	return rule.OfPairs("", learner, pairs)
}

// Crossings returns the pairs that have become likely since the last call, and those that
// have faded, in no order. The changes are net, however often a pair crossed MS in between.
// O(net crossings).
func (x *Index) Crossings() (risen, faded []dust.Candidate) {
	for key, c := range x.crossed {
		if c.was {
			faded = append(faded, x.candidate(key, c.pair))
		} else {
			risen = append(risen, x.candidate(key, c.pair))
		}
	}
	x.ForgetCrossings()
	return risen, faded
}

// Crossed reports whether Crossings would return a pair.
func (x *Index) Crossed() bool { return len(x.crossed) > 0 }

// ForgetCrossings drops the changes that Crossings would return.
func (x *Index) ForgetCrossings() {
	if len(x.crossed) > manyCrossings {
		x.crossed = map[uint64]crossing{} // a map keeps its memory when it is cleared
		return
	}
	clear(x.crossed)
}

// manyCrossings is the number of crossings whose memory is not kept for the next ones.
const manyCrossings = 1 << 12

func (x *Index) candidate(key uint64, p dust.Pair) dust.Candidate {
	s := x.supportsOf(key)
	return dust.Candidate{Pair: p, Support: int(s.low), SupportHigh: int(s.high)}
}

func (x *Index) supportsOf(key uint64) supports {
	s := x.pairs.find(key)
	switch {
	case s == nil:
		return supports{}
	case s.low == isLikely:
		return x.now[s.high].supports()
	}
	return *s
}

func (p *likelyPair) supports() supports { return supports{uint32(p.Support), uint32(p.SupportHigh)} }
