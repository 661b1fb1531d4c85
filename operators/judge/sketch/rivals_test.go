package sketch

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// rival is a way to make a sketch of a set of shingle hashes and to compare two sketches.
type rival struct {
	name  string
	of    func(hashes []uint64) [Size]uint64
	alike func(a, b *[Size]uint64) float64
}

// rivals lists the ways that the package comment compares: ns per shingle, and the root
// mean square error over pairs of Jaccard coefficient 0.9.
var rivals = []rival{
	{"least", leastHashes, jaccard},
	{"manyKeys", manyKeys, equalShare},
	{"onePermutation", onePermutation, equalShare},
}

func BenchmarkRivals(b *testing.B) {
	for _, r := range rivals {
		for _, n := range []int{50, 500, 10_000} {
			b.Run(fmt.Sprint(r.name, "/", n), func(b *testing.B) {
				hashes, _ := hashPair(rand.New(rand.NewPCG(3, 4)), n, 1)
				for b.Loop() {
					r.of(hashes)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/shingle")
				b.ReportMetric(rivalError(r, n, 0.9), "rmse")
			})
		}
	}
}

// rivalError returns the root mean square error over pairs whose union has n members.
func rivalError(r rival, n int, j float64) float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	const pairs = 1000
	sum := 0.0
	for range pairs {
		x, y := hashPair(rng, n, j)
		a, b := r.of(x), r.of(y)
		d := r.alike(&a, &b) - j
		sum += d * d
	}
	return math.Sqrt(sum / pairs)
}

// hashPair returns two sets whose union has n members and whose Jaccard coefficient is j,
// rounded to 1/n.
func hashPair(rng *rand.Rand, n int, j float64) (a, b []uint64) {
	both := int(math.Round(float64(n) * j))
	for i := range n {
		h := rng.Uint64()
		if i < both || i%2 == 0 {
			a = append(a, h)
		}
		if i < both || i%2 == 1 {
			b = append(b, h)
		}
	}
	return a, b
}

func leastHashes(hashes []uint64) [Size]uint64 {
	m := noHashes()
	for _, h := range hashes {
		insert(&m, h)
	}
	return m
}

// manyKeys keeps the least hash under each of Size keyed functions.
func manyKeys(hashes []uint64) [Size]uint64 {
	m := noHashes()
	for _, h := range hashes {
		for k := range m {
			m[k] = min(m[k], mix(h, keys[k]))
		}
	}
	return m
}

var keys = func() (keys [Size]uint64) {
	rng := rand.New(rand.NewPCG(7, 8))
	for k := range keys {
		keys[k] = rng.Uint64() | 1
	}
	return keys
}()

func mix(h, key uint64) uint64 {
	hi, lo := bits.Mul64(h^key, 0x9e3779b97f4a7c15^key<<1)
	return hi ^ lo
}

// onePermutation keeps the least hash in each of Size bins, and fills empty bins from
// full bins (Shrivastava 2017).
func onePermutation(hashes []uint64) [Size]uint64 {
	full := noHashes()
	for _, h := range hashes {
		bin := h % Size
		full[bin] = min(full[bin], h)
	}
	m := full
	for k := range m {
		for try := uint64(1); m[k] == none && len(hashes) > 0; try++ {
			m[k] = full[mix(try, keys[k])%Size]
		}
	}
	return m
}

func equalShare(a, b *[Size]uint64) float64 {
	equal := 0
	for k := range a {
		if a[k] == b[k] && a[k] != none {
			equal++
		}
	}
	return float64(equal) / Size
}
