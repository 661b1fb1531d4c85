package worlds

import (
	"fmt"
	"math/rand/v2"

	"dustbuster/operators/window/evidence"
)

// Hits returns up to most random hits on few URLs, from the second -30 on, so that many are of
// one URL, pane and class: with sizes, with digests, with neither.
func Hits(r *rand.Rand, most, urls int) []evidence.Observation {
	hits := make([]evidence.Observation, 1+r.IntN(most))
	for i := range hits {
		h := &hits[i]
		h.URL = fmt.Appendf(nil, "/%d", r.IntN(urls))
		h.Time = r.Int64N(80) - 30
		h.Class = uint8(r.IntN(2))
		h.Clients = 1 << r.IntN(9)
		h.Families = 1 << r.IntN(32) >> r.IntN(40)
		h.Max = r.Int64N(4)
		h.Min = h.Max
		if r.IntN(5) == 0 {
			h.DigestMin = (1 + r.Uint64N(2)) << (63 * r.IntN(2))
			h.DigestMax = h.DigestMin
		}
	}
	return hits
}
