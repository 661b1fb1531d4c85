package oracle

import (
	"iter"
	"math/rand/v2"

	"dustbuster/operators/window/evidence"
)

// Hit is one request of a page.
type Hit struct {
	Page  int   // index into the list of pages
	Time  int64 // seconds
	Size  int64 // within the page's span; 0 if the page has none
	Class uint8
}

// popularity is the exponent of Zipf's law: the page of rank k has a share of the hits in
// proportion to k^-popularity. Web traffic has an exponent of about 0.6 to 1.1. The
// generator needs an exponent above 1.
const popularity = 1.05

// Hits yields n hits on pages, spread evenly over the seconds from start, by Zipf's law.
// The popularity of a page depends on the seed alone, not on its place in the list. Both
// ends of a page's span are as likely as all sizes between. Each iteration yields the
// same hits.
func Hits(seed uint64, pages []evidence.Page, n int, start, seconds int64) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		rng := rand.New(rand.NewPCG(seed, seed))
		rank := rng.Perm(len(pages))
		zipf := rand.NewZipf(rng, popularity, 1, uint64(len(pages)-1))
		for i := range int64(n) {
			h := Hit{Page: rank[zipf.Uint64()], Time: start + i*seconds/int64(n)}
			if e := pages[h.Page].Evidence.Sizes(); len(e) > 0 {
				span := e[rng.IntN(len(e))]
				h.Size, h.Class = sizeIn(rng, span.Min, span.Max), span.Class
			}
			if !yield(h) {
				return
			}
		}
	}
}

func sizeIn(rng *rand.Rand, low, high int64) int64 {
	switch rng.IntN(3) {
	case 0:
		return low
	case 1:
		return high
	}
	return low + rng.Int64N(high-low+1)
}
