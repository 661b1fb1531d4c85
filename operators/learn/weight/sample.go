package weight

import (
	"cmp"
	"slices"
)

// pair is two different URLs joined by a rule.
type pair struct {
	hash uint64 // keyed
	u, v uint32
}

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.hash, q.hash), cmp.Compare(p.u, q.u), cmp.Compare(p.v, q.v))
}

// most is the number of pairs of a sample.
const most = 2000

// sample keeps the pairs with the smallest hashes. A sample is reused.
type sample struct {
	pairs []pair
	full  bool   // a pair was left out
	bound uint64 // greatest hash of the kept pairs, if full
}

func (s *sample) reset() { *s = sample{pairs: s.pairs[:0]} }

// add adds a pair, which may be in the sample already.
func (s *sample) add(p pair) {
	if s.full && p.hash > s.bound {
		return
	}
	if s.pairs = append(s.pairs, p); len(s.pairs) == 2*most {
		s.settle()
	}
}

// settle sorts the pairs, and leaves out those that occur twice and those beyond most.
func (s *sample) settle() {
	slices.SortFunc(s.pairs, pair.compare)
	s.pairs = slices.Compact(s.pairs)
	if len(s.pairs) > most {
		s.pairs = s.pairs[:most]
		s.full, s.bound = true, s.pairs[most-1].hash
	}
}
