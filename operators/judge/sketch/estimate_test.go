package sketch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Over many pairs of pages, the estimates have no bias and the variance of drawing Size
// shingles from the union. If the union has at most Size shingles, the estimates are
// exact.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name           string
		words, changed int // of each pair: words, and how many of them differ in the second page
		pairs          int
	}{
		{"short", 90, 2, 100},
		{"medium", 300, 2, 250},
		{"alike", 1000, 6, 250},
		{"half alike", 1000, 45, 250},
		{"hardly alike", 1000, 200, 250},
		{"long", 20_000, 200, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, uint64(c.words+c.changed)))
			var sum, squares, variance, exactSum float64
			for range c.pairs {
				a := randomText(rng, 'a', 26, c.words)
				b := change(rng, a, c.changed)
				x, y := htmlOf(a), htmlOf(b)
				j, n := exactJaccard(a, b), float64(union(a, b))
				d := Resemblance(&x, &y) - j
				sum, squares, exactSum = sum+d, squares+d*d, exactSum+j
				variance += j * (1 - j) / Size * math.Max(0, (n-Size)/(n-1))
			}
			pairs := float64(c.pairs)
			bias, limit := sum/pairs, 4*math.Sqrt(variance)/pairs
			t.Logf("J %.3f, bias %+.5f, standard error %.4f, in theory %.4f", exactSum/pairs, bias, math.Sqrt(squares/pairs), math.Sqrt(variance/pairs))
			if math.Abs(bias) > limit+1e-12 {
				t.Errorf("bias %v, at most %v", bias, limit)
			}
			// The relative error of a variance from n draws is sqrt(2/n).
			if slack := 4 * math.Sqrt(2/pairs); math.Abs(squares-variance) > slack*variance+1e-12 {
				t.Errorf("variance %v, in theory %v", squares/pairs, variance/pairs)
			}
		})
	}
}

// change returns the words with n replacements at random places, some maybe at the same
// place.
func change(rng *rand.Rand, words []string, n int) []string {
	changed := append([]string(nil), words...)
	for range n {
		changed[rng.IntN(len(changed))] = randomText(rng, 'A', 26, 1)[0] + "0"
	}
	return changed
}

func union(a, b []string) int {
	shingles := plainShingles(a)
	for s := range plainShingles(b) {
		shingles[s] = true
	}
	return len(shingles)
}
