package envelope

import (
	"maps"
	"slices"

	"dustbuster/operators/dust"
)

// likely keeps the pairs whose support is at least MS, and which of them
// crossed it since the last look.
type likely struct {
	now     map[uint64]dust.Pair
	crossed map[uint64]crossing
}

// crossing is what a pair was before the batch.
type crossing struct {
	pair dust.Pair
	was  bool // it was likely
}

func newLikely() likely {
	return likely{map[uint64]dust.Pair{}, map[uint64]crossing{}}
}

func (l *likely) rise(key uint64, p dust.Pair) {
	l.now[key] = p
	l.cross(key, p, false)
}

func (l *likely) fall(key uint64) {
	p := l.now[key]
	delete(l.now, key)
	l.cross(key, p, true)
}

func (l *likely) cross(key uint64, p dust.Pair, was bool) {
	if _, again := l.crossed[key]; !again {
		l.crossed[key] = crossing{p, was}
	}
}

// Likely returns the pairs whose support is at least MS, in the order of
// [dust.CompareRank]. O(likely).
func (x *Index) Likely() []dust.Candidate {
	list := make([]dust.Candidate, 0, len(x.now))
	for key, pair := range x.now {
		list = append(list, x.candidate(key, pair))
	}
	slices.SortFunc(list, dust.CompareRank)
	return list
}

// Crossings returns the pairs that are likely and were not at the last call,
// and those that were and are not, each in the order of [dust.CompareRank]:
// net changes, however often a pair crossed MS in between. O(crossings).
func (x *Index) Crossings() (risen, faded []dust.Candidate) {
	for key, c := range maps.All(x.crossed) {
		switch _, is := x.now[key]; {
		case is && !c.was:
			risen = append(risen, x.candidate(key, c.pair))
		case !is && c.was:
			faded = append(faded, x.candidate(key, c.pair))
		}
	}
	clear(x.crossed)
	slices.SortFunc(risen, dust.CompareRank)
	slices.SortFunc(faded, dust.CompareRank)
	return risen, faded
}

func (x *Index) candidate(key uint64, p dust.Pair) dust.Candidate {
	var s supports
	if at := x.pairs.find(key); at != nil {
		s = *at
	}
	return dust.Candidate{Pair: p, Support: int(s.low), SupportHigh: int(s.high)}
}
