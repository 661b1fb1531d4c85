package envelope

import (
	"math"
	"math/bits"
	"slices"

	"dustbuster/operators/rule/dust"
)

// supports are the two counts of a pair. If low is isLikely, the counts are those of the likely pair with
// the number high in Index.now.
type supports struct{ low, high uint32 }

const isLikely = math.MaxUint32

// eachBucket visits the buckets that the subject shares with partners: the small ones in the
// crowd, and all outside.
func (x *Index) eachBucket(what change) {
	m := &x.meet
	for _, c := range x.walk.small {
		if c.i <= m.maxA && c.j <= m.maxB {
			_, k := m.meets(c.i, c.j)
			x.tally(c.i, c.j, k, what)
		}
	}
	for i := 0; i <= m.maxA; i++ {
		x.eachInRow(x.outside(i), what)
	}
	for _, row := range x.walk.open {
		if row.i <= m.maxA {
			x.eachInRow(row, what)
		}
	}
}

func (x *Index) eachInRow(row row, what change) {
	m := &x.meet
	for j := row.from; j < row.to && j <= m.maxB; j++ {
		form, k := m.meets(row.i, j)
		if form == 0 {
			return
		}
		x.tally(row.i, j, k, what)
	}
}

// tally counts the bucket (i, j), in which the subject meets k partners, for both limits. If k+1
// is within a limit, the subject's pairs gain 1. If the subject takes the bucket past a limit,
// the pairs of the other members lose 1. A departure is the reverse.
func (x *Index) tally(i, j, k int, what change) {
	low, high := within(k, x.o.BucketLow), within(k, x.o.BucketHigh)
	if low || high {
		x.pairWithEach(i, j, low, high)
	}
	if x.whole {
		return
	}
	low, high = overflows(k, x.o.BucketLow), overflows(k, x.o.BucketHigh)
	if what != changes && (low || high) {
		x.pairOthers(i, j, -int(what), low, high)
	}
}

func within(others, limit int) bool    { return others+1 <= limit }
func overflows(others, limit int) bool { return others == limit }

func (x *Index) pairWithEach(i, j int, low, high bool) {
	m, u := &x.meet, &x.u
	var own uint64 // hash of the subject's own side, computed on demand
	for w, set := range m.bucket {
		for set &= m.alike[w]; set != 0; set &= set - 1 {
			p := &m.partners[w*64+bits.TrailingZeros64(set)]
			if own == 0 {
				own = x.keys.side(x.middle(u.text, i, j), i == 0, j == 0)
			}
			other := x.middle(p.text, i, j)
			key := x.keys.pairOf(own, x.keys.side(other, i == 0, j == 0))
			if x.whole {
				x.later = append(x.later, addition{key, w*64 + bits.TrailingZeros64(set), i, j, low, high})
				continue
			}
			x.add(key, p.gain, low, high, i, j, u.text, p.text)
		}
	}
}

func (x *Index) pairOthers(i, j, gain int, low, high bool) {
	m := &x.meet
	x.findSimilar()
	m.sides = m.sides[:0]
	for _, p := range m.members {
		m.sides = append(m.sides, x.keys.side(x.middle(m.partners[p].text, i, j), i == 0, j == 0))
	}
	m.found = m.found[:0]
	for _, s := range m.similar {
		key := x.keys.pairOf(m.sides[s.first], m.sides[s.second])
		m.touched ^= x.pairs.touch(key)
		m.found = append(m.found, key)
	}
	if gain < 0 {
		x.lose(countsOf(low, high), m.found...)
		return
	}
	for k, s := range m.similar {
		p, q := &m.partners[m.members[s.first]], &m.partners[m.members[s.second]]
		x.add(m.found[k], gain, low, high, i, j, p.text, q.text)
	}
}

// findSimilar lists the members of the bucket, and the pairs of similar members. Successive
// buckets of long URLs often have the same members.
func (x *Index) findSimilar() {
	m := &x.meet
	if slices.Equal(m.bucket, m.listed) {
		return
	}
	m.listed = append(m.listed[:0], m.bucket...)
	m.members, m.similar = m.members[:0], m.similar[:0]
	for w, set := range m.bucket {
		for ; set != 0; set &= set - 1 {
			m.members = append(m.members, w*64+bits.TrailingZeros64(set))
		}
	}
	for k, p := range m.members {
		for l, q := range m.members[:k] {
			if x.o.Similarity.Similar(m.partners[p].evidence, m.partners[q].evidence) {
				m.similar = append(m.similar, two{l, k})
			}
		}
	}
}

// middle returns what is between the first i and the last j tokens of a text, which shares
// them with the subject.
func (x *Index) middle(text []byte, i, j int) []byte {
	return text[x.u.before(i) : len(text)-x.u.after(j)]
}

// add changes the counts of the pair formed by two texts between i and j tokens, by 1 or -1.
func (x *Index) add(key uint64, gain int, low, high bool, i, j int, a, b []byte) {
	by := countsOf(low, high)
	if gain < 0 {
		x.lose(by, key)
		return
	}
	s := x.pairs.put(key)
	if s.low == isLikely {
		p := &x.now[s.high]
		p.Support += int(by.low)
		p.SupportHigh += int(by.high)
		return
	}
	s.low += by.low
	s.high += by.high
	if low && int(s.low) >= x.o.MinSupport {
		*s = x.rise(key, *s, dust.NewPair(string(x.middle(a, i, j)), string(x.middle(b, i, j)), i == 0, j == 0))
	}
}

// lose takes from the counts of pairs.
func (x *Index) lose(by supports, keys ...uint64) {
	for _, key := range keys {
		part, s := x.pairs.held(key)
		if s.low == isLikely {
			p := &x.now[s.high]
			p.Support -= int(by.low)
			p.SupportHigh -= int(by.high)
			if p.Support >= x.o.MinSupport {
				continue
			}
			*s = x.fall(s.high)
		} else {
			s.low -= by.low
			s.high -= by.high
		}
		if *s == (supports{}) {
			x.pairs.drop(part)
		}
	}
}

// countsOf returns what a bucket within some limits adds to the counts of a pair.
func countsOf(low, high bool) (by supports) {
	if low {
		by.low = 1
	}
	if high {
		by.high = 1
	}
	return by
}
