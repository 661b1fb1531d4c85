package miner

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/rule"
)

// A machine whose URLs leave in slices has, once it is up to date, the state of a new one, whatever
// comes between the slices. A client that follows its events holds the likely pairs.
func TestLeavesInSlices(t *testing.T) {
	waited := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 21))
		o := options(20, 1000)
		o.Slices = true
		m, held := New("", o), map[rule.Rule]bool{}
		m.wake(math.MaxInt)
		hits := stream(rng)
		for round := range 6 {
			for i := range hits {
				hits[i].Time = int64(round*40) + rng.Int64N(30)
				m.Fold(&hits[i])
				if rng.IntN(4) == 0 {
					m.Settle(1 + rng.IntN(4))
				}
				if !m.index.Resume(0) {
					waited++
				}
			}
			hits = append(stream(rng), hits[:len(hits)/2]...)
			for !m.Settle(1 + rng.IntN(5)) {
			}
			likely, faded := m.PairEvents()
			for _, r := range faded {
				delete(held, r.Rule)
			}
			for _, r := range likely {
				held[r.Rule] = true
			}
			want := map[rule.Rule]bool{}
			for _, r := range m.learn[0].Likely() {
				want[r.Rule] = true
			}
			if !maps.Equal(held, want) {
				t.Fatalf("seed %d: events leave %v, want %v", seed, held, want)
			}
			check(t, m, seed)
		}
	}
	if waited < 1000 {
		t.Errorf("URLs waited to enter again at %d moments only", waited)
	}
}
