package trial

import (
	"math"
	"testing"
)

// Pairs that are alike speak for a rule, pairs that differ against it, and none changes nothing.
func TestGiven(t *testing.T) {
	o := Defaults()
	if p := o.Given(0.3, 0, 0); p != 0.3 {
		t.Errorf("%v without pairs", p)
	}
	last := 0.1
	for alike := 1; alike <= 1000; alike *= 3 {
		p := o.Given(0.1, float64(alike), 0)
		if p <= last || p >= 1 {
			t.Errorf("%v with %d alike, %v with fewer", p, alike, last)
		}
		last = p
	}
	last = 0.9
	for differ := 1; differ <= 100; differ++ {
		p := o.Given(0.9, 0, float64(differ))
		if p >= last && last > 0 || p < 0 {
			t.Errorf("%v with %d different, %v with fewer", p, differ, last)
		}
		last = p
	}
	// ∫ (1-x)^9 x dx over the shares below ε, by sums, and over all shares: 9! 1! / 11!
	within, step := 0.0, 1e-6
	for x := step / 2; x < o.Epsilon; x += step {
		within += math.Pow(1-x, 9) * x * step / o.Epsilon
	}
	if p, want := o.Given(0.5, 9, 1), within/(within+1.0/110); math.Abs(p-want) > 1e-6 {
		t.Errorf("%v, want %v", p, want)
	}
}
