package params

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
)

// TestRandomStreams checks the invariants after every step of random streams, in which
// values cross their limits both ways. After a third of the steps the test settles and
// compares, so unsettled changes pile up too.
func TestRandomStreams(t *testing.T) {
	var seen [6]int
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			w := newWorld(Options{
				MinSupport: 1 + r.IntN(3), MaxParams: 2 + r.IntN(4), MaxValues: 1 + r.IntN(5),
				Similarity: evidence.Similarity{Tolerance: []float64{0, 0.01, 0.3}[r.IntN(3)], Off: r.IntN(8) == 0},
			})
			w.x.tracked = w.o.MaxValues * (1 + r.IntN(4))
			values, h := 2+r.IntN(6)*r.IntN(3), randomTruth(r)
			for step := range 600 {
				randomStep(r, w, step, values, h)
				if r.IntN(3) == 0 {
					w.verify(t)
				} else if err := w.x.Check(); err != nil {
					t.Fatalf("step %d: %v\nlist: %v", step, err, w.held)
				}
			}
			for len(w.held) > 0 {
				w.drop(w.anyURL(r))
				w.verify(t)
			}
			w.x.Likely()
			if s := w.x.Stats(); s != (Stats{}) {
				t.Errorf("an empty list leaves %+v", s)
			}
			for kind, n := range w.seen {
				seen[kind] += n
			}
		})
	}
	t.Logf("rules compared, by kind: %v", seen[1:])
	if slices.Min(seen[1:]) < 50 {
		t.Errorf("too few rules to tell anything, by kind: %v", seen[1:])
	}
}

// randomStep grows and shrinks the list in turns.
func randomStep(r *rand.Rand, w *world, step, values int, h truth) {
	grow := 8 - step/150%2*6
	switch {
	case r.IntN(10) < grow || len(w.held) == 0:
		url := randomURL(r, values)
		w.put(url, h.evidence(r, url))
	case r.IntN(4) == 0:
		url := w.anyURL(r)
		w.put(url, h.evidence(r, url))
	default:
		w.drop(w.anyURL(r))
	}
}

func (w *world) anyURL(r *rand.Rand) string {
	var urls []string
	for u := range w.held {
		urls = append(urls, u)
	}
	slices.Sort(urls)
	return urls[r.IntN(len(urls))]
}

// TestAnyOrder enters lists in many orders, with detours.
func TestAnyOrder(t *testing.T) {
	rules := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		o := Options{MinSupport: 2, MaxValues: 4, Similarity: evidence.Similarity{Tolerance: 0.02}}
		list := randomList(r, randomTruth(r), 300)
		want := oracleLikely(o, list)
		rules += len(want)
		for range 10 {
			if got := detour(r, o, list); !slices.Equal(got, want) {
				t.Fatalf("another order gives\n got %v\nwant %v", got, want)
			}
		}
	}
	if rules < 5 {
		t.Errorf("too few rules to tell anything: %d", rules)
	}
}

func randomList(r *rand.Rand, h truth, n int) (list []page) {
	seen := map[string]bool{}
	for range n {
		if u := randomURL(r, 6); !seen[u] {
			seen[u] = true
			list = append(list, page{u, h.evidence(r, u)})
		}
	}
	return list
}

// detour enters a list in random order. Pages are entered twice, with wrong evidence
// first, and removed in between.
func detour(r *rand.Rand, o Options, list []page) []Rule {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	w := newWorld(o)
	for i, p := range list {
		w.put(list[r.IntN(i+1)].url, randomEvidence(r))
		w.put(p.url, nil)
		w.drop(list[r.IntN(len(list))].url)
		if i%100 == 0 {
			w.x.Likely()
		}
	}
	for _, p := range list {
		w.put(p.url, p.e)
	}
	return w.x.Likely()
}
