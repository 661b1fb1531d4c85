package budget

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Level is the greatest height at which all demands, cut there, fit.
func TestLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	filled := func(demands []int64, level int64) (sum int64) {
		for _, d := range demands {
			sum += min(d, level)
		}
		return sum
	}
	for range 10_000 {
		demands := make([]int64, rng.IntN(8))
		for i := range demands {
			demands[i] = rng.Int64N(50)
		}
		total := rng.Int64N(200)
		level := Level(slices.Clone(demands), total)
		sum := filled(demands, level)
		fits := len(demands) == 0 || filled(demands, slices.Max(demands)) <= total
		switch {
		case sum > total:
			t.Fatalf("%v in %d: level %d takes %d", demands, total, level, sum)
		case fits && len(demands) > 0 && level != slices.Max(demands):
			t.Fatalf("%v fit into %d, level %d", demands, total, level)
		case !fits && filled(demands, level+1) <= total:
			t.Fatalf("%v in %d: level %d, and %d would fit", demands, total, level, level+1)
		}
	}
	if l := Level([]int64{5, 5}, -1); l != 0 {
		t.Errorf("level %d of nothing", l)
	}
}

// A longer URL costs at least as much.
func TestCost(t *testing.T) {
	if Cost(10, 5) > Cost(11, 5) || Cost(10, 5) > Cost(10, 6) || Cost(0, 2) <= 0 {
		t.Error("a URL costs less than a shorter one")
	}
}
