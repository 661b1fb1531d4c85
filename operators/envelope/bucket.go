package envelope

import (
	"math/bits"

	"dustbuster/operators/dust"
)

// supports are the two counts of a pair.
type supports struct{ low, high uint32 }

// eachBucket visits the buckets that the URL at hand shares with partners: the
// small ones in the crowd, and all those outside it.
func (x *Index) eachBucket(what change) {
	m, u := &x.meet, &x.u
	for _, c := range x.walk.small {
		if c.i <= m.maxA && c.j <= m.maxB {
			_, k := m.meets(c.i, c.j)
			x.tally(c.i, c.j, k, what)
		}
	}
	for i := 0; i <= m.maxA; i++ {
		for j := max(x.walk.crowdedIn(i), u.n-x.o.MaxTokens-i); j <= m.maxB && i+j <= u.n; j++ {
			form, k := m.meets(i, j)
			if form == 0 {
				break
			}
			x.tally(i, j, k, what)
		}
	}
}

// tally counts the bucket (i, j), in which the URL at hand meets k partners,
// for both limits: a bucket within the limit with it gains its pairs; one that
// it takes past the limit loses those of the others. A departure is the same
// backwards.
func (x *Index) tally(i, j, k int, what change) {
	low, high := within(k, x.o.BucketLow), within(k, x.o.BucketHigh)
	if low || high {
		x.pairWithEach(i, j, low, high)
	}
	low, high = overflows(k, x.o.BucketLow), overflows(k, x.o.BucketHigh)
	if what != changes && (low || high) {
		x.pairOthers(i, j, -int(what), low, high)
	}
}

func within(others, limit int) bool    { return others+1 <= limit }
func overflows(others, limit int) bool { return others == limit }

// pairWithEach counts the pairs of the URL at hand with the members of the
// bucket.
func (x *Index) pairWithEach(i, j int, low, high bool) {
	m, u := &x.meet, &x.u
	var own uint64 // hash of the URL's own side, made when first needed
	for w, set := range m.bucket {
		for set &= m.alike[w]; set != 0; set &= set - 1 {
			p := &m.partners[w*64+bits.TrailingZeros64(set)]
			if own == 0 {
				own = x.keys.side(x.middle(u.text, i, j), i == 0, j == 0)
			}
			other := x.middle(p.text, i, j)
			key := x.keys.pairOf(own, x.keys.side(other, i == 0, j == 0))
			x.add(key, p.gain, low, high, i, j, u.text, p.text)
		}
	}
}

// pairOthers counts the pairs among the members of the bucket.
func (x *Index) pairOthers(i, j, gain int, low, high bool) {
	x.ids2 = x.ids2[:0]
	for w, set := range x.meet.bucket {
		for ; set != 0; set &= set - 1 {
			x.ids2 = append(x.ids2, uint32(w*64+bits.TrailingZeros64(set)))
		}
	}
	for k, first := range x.ids2 {
		for _, second := range x.ids2[k+1:] {
			p, q := &x.meet.partners[first], &x.meet.partners[second]
			if x.o.Similarity.Similar(p.evidence, q.evidence) {
				a := x.keys.side(x.middle(p.text, i, j), i == 0, j == 0)
				b := x.keys.side(x.middle(q.text, i, j), i == 0, j == 0)
				x.add(x.keys.pairOf(a, b), gain, low, high, i, j, p.text, q.text)
			}
		}
	}
}

// middle is what stands between the first i and the last j tokens of a text
// that has them in common with the URL at hand.
func (x *Index) middle(text []byte, i, j int) []byte {
	return text[x.u.before(i) : len(text)-x.u.after(j)]
}

// add changes the counts of the pair that two texts have between i and j
// tokens.
func (x *Index) add(key uint64, gain int, low, high bool, i, j int, a, b []byte) {
	s := x.pairs.put(key)
	before := s.low
	if low {
		s.low += uint32(gain)
	}
	if high {
		s.high += uint32(gain)
	}
	least := uint32(x.o.MinSupport)
	switch {
	case before < least && s.low >= least:
		x.rise(key, dust.NewPair(string(x.middle(a, i, j)), string(x.middle(b, i, j)), i == 0, j == 0))
	case before >= least && s.low < least:
		x.fall(key)
	}
	if *s == (supports{}) {
		x.pairs.remove(key)
	}
}
