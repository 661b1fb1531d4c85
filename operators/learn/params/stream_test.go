package params

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
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
			w := newWorld(Options{MinSupport: 1 + r.IntN(3), MaxParams: 2 + r.IntN(6), MaxValues: 1 + r.IntN(5), Similarity: worlds.Similarity(r)})
			w.x.tracked = w.x.o.MaxValues * (1 + r.IntN(4))
			values, h := 2+r.IntN(6)*r.IntN(3), randomTruth(r)
			for step := range 600 {
				randomStep(r, w, step, values, h)
				if r.IntN(3) == 0 {
					w.verify(t)
				} else if err := w.x.Check(); err != nil {
					t.Fatalf("step %d: %v\nlist: %v", step, err, w.Pages())
				}
			}
			for w.URLs.Len() > 0 {
				w.Drop(w.Any(r))
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
	case r.IntN(10) < grow || w.URLs.Len() == 0:
		url := randomURL(r, values)
		w.Set(url, h.evidence(r, url))
	case r.IntN(4) == 0:
		url := w.Any(r)
		w.Set(url, h.evidence(r, url))
	default:
		w.Drop(w.Any(r))
	}
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
		enterAll(t, r, o, list)
	}
	if rules < 5 {
		t.Errorf("too few rules to tell anything: %d", rules)
	}
}

// enterAll enters a list at once, and goes on.
func enterAll(t *testing.T, r *rand.Rand, o Options, list []evidence.Page) {
	w := newWorld(o)
	var ids []uint32
	for _, p := range list {
		id, _ := w.URLs.Intern([]byte(p.URL))
		w.URLs.SetEvidence(id, p.Evidence)
		ids = append(ids, id)
	}
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	w.x.EnterAll(ids)
	w.verify(t)
	for range 20 {
		w.Drop(w.Any(r))
		w.verify(t)
	}
}

func randomURL(r *rand.Rand, values int) string {
	return worlds.QueryOf(r, []string{"/", "/p", "/", "/p", "/p/q", ""}, values)
}

func randomList(r *rand.Rand, h truth, n int) []evidence.Page {
	list := map[string]evidence.Spans{}
	for range n {
		url := randomURL(r, 6)
		list[url] = h.evidence(r, url)
	}
	return worlds.Pages(list)
}

// detour enters a list in random order. Pages are entered twice, with wrong evidence
// first, and removed in between.
func detour(r *rand.Rand, o Options, list []evidence.Page) []rule.Likely {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	w := newWorld(o)
	for i, p := range list {
		w.Set(list[r.IntN(i+1)].URL, worlds.Evidence(r))
		w.Set(p.URL, nil)
		w.Drop(list[r.IntN(len(list))].URL)
		if i%100 == 0 {
			w.x.Likely()
		}
	}
	for _, p := range list {
		w.Set(p.URL, p.Evidence)
	}
	return w.x.Likely()
}

// truth describes a random world: the sizes of its pages do not depend on n within the
// scope.
type truth struct {
	scope   rule.Scope
	digests bool // the evidence also has digests and several classes
}

func randomTruth(r *rand.Rand) truth {
	path, value := []string{"/", "/p"}[r.IntN(2)], []string{"1", "0", "1", "0", ""}[r.IntN(5)]
	return truth{
		digests: r.IntN(3) == 0,
		scope: []rule.Scope{
			{},
			{HasPath: true, Path: path},
			{Where: rule.Where("a", value)},
			{HasPath: true, Path: path, Where: rule.With("a")},
			{HasPath: true, Path: path, Where: rule.Where("a", value)},
		}[min(r.IntN(9), 4)], // the narrowest scope makes the fewest rules
	}
}

func (h truth) holds(url string) bool {
	return slices.Contains(scopesOf(url, map[string]bool{"a": true}), h.scope)
}

// evidence mostly returns the truth, and sometimes nothing or noise.
func (h truth) evidence(r *rand.Rand, url string) evidence.Spans {
	if r.IntN(10) == 0 {
		return nil
	}
	if h.digests && r.IntN(2) == 0 {
		return worlds.Evidence(r)
	}
	if h.holds(url) {
		url = oracle.WithoutName(url, "n")
	}
	return worlds.SizeOf(url, 5000)
}
