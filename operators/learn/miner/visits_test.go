package miner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/window/evidence"
)

// Of the URLs in a window without an end, the machine knows all days of robots, whatever the bounds leave out.
func TestVisits(t *testing.T) {
	some := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 6))
		o := options(0, 10+rng.IntN(30))
		o.Tally, o.Visits = true, true
		sites := NewSites(5, o)
		if rng.IntN(2) == 0 {
			sites.SetBudget(20_000 + rng.Int64N(20_000))
		}
		all := map[string]uint32{}
		for range 400 {
			hit := evidence.Observation{URL: fmt.Appendf(nil, "/%d", rng.IntN(40)), Time: rng.Int64N(9*evidence.SecondsOfDay) - 3*evidence.SecondsOfDay, Families: rng.Uint32() & rng.Uint32() & rng.Uint32(), Min: 1 + rng.Int64N(9)}
			hit.Max = hit.Min
			m, _ := sites.Fold("s", &hit)
			if families := hit.Families &^ 1; families != 0 {
				all[fmt.Sprint(evidence.PaneOf(hit.Time, evidence.SecondsOfDay), string(hit.URL))] |= families
			}
			if rng.IntN(50) == 0 {
				m.settle()
			}
		}
		m := sites.Of("s")
		m.settle()
		got, last := map[string]uint32{}, int64(-10)
		for _, v := range m.Visits() {
			got[fmt.Sprint(v.Date, string(m.urls.Text(v.URL)))] |= v.Families
			if v.Date < last {
				t.Fatalf("seed %d: date %d after %d", seed, v.Date, last)
			}
			last = v.Date
		}
		for visit, families := range got {
			if families&^all[visit] != 0 {
				t.Fatalf("seed %d: %s has %b of %b", seed, visit, families, all[visit])
			}
		}
		if !m.Sampled() && !maps.Equal(got, all) {
			t.Fatalf("seed %d: %v, want %v", seed, got, all)
		}
		some += len(got)
	}
	if some < 5000 {
		t.Errorf("only %d visits", some)
	}
}

func BenchmarkVisits(b *testing.B) {
	for _, visits := range []bool{false, true} {
		b.Run(fmt.Sprint(visits), func(b *testing.B) {
			o := options(0, 1_000_000)
			o.Tally, o.Visits = true, visits
			m := New("s", o)
			hits := make([]evidence.Observation, 1<<16)
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range hits {
				hits[i] = evidence.Observation{URL: fmt.Appendf(nil, "/some/folder/%d.html", rng.IntN(20_000)), Time: int64(i) * 10, Families: 4, Min: 7, Max: 7}
				m.Fold(&hits[i])
			}
			i := 0
			for b.Loop() {
				m.Fold(&hits[i&(1<<16-1)])
				i++
			}
		})
	}
}
