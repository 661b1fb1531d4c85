package miner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A machine that rests whenever it can has at every moment the rules, the sizes and the events of one that
// never rests, whatever enters, changes and leaves between.
func TestRest(t *testing.T) {
	rested, events := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 34))
		o := options(20, 1000)
		o.Slices = seed%2 == 0
		lazy, busy := New("", o), New("", o)
		hits := stream(rng)
		for round := range 4 {
			for i := range hits {
				hits[i].Time = int64(round*15) + rng.Int64N(30)
				if lazy.Fold(&hits[i]) != busy.Fold(&hits[i]) {
					t.Fatalf("seed %d: the outcomes of %s differ", seed, hits[i].URL)
				}
				switch rng.IntN(8) {
				case 0:
					lazy.Settle(1 + rng.IntN(5))
				case 1:
					sameEvents(t, seed, lazy, busy, &events)
				}
				if rng.IntN(4) == 0 {
					lazy.RestIfQuiet()
				}
				if lazy.Rest(); !lazy.awake {
					rested++
				}
			}
			sameEvents(t, seed, lazy, busy, &events)
			lazy.Rest()
			if !slices.Equal(lazy.Rules(), busy.Rules()) || !slices.Equal(lazy.Likely(), busy.Likely()) ||
				!slices.Equal(lazy.View().Rules(), busy.View().Rules()) {
				t.Fatalf("seed %d: the rules differ:\n%v\n%v", seed, lazy.Rules(), busy.Rules())
			}
			urls, likely := lazy.Sizes()
			if u, l := busy.Sizes(); u != urls || l != likely {
				t.Fatalf("seed %d: sizes %d and %d, want %d and %d", seed, urls, likely, u, l)
			}
			lazy.wake(math.MaxInt)
			lazy.Likely() // settles params
			check(t, lazy, seed)
			hits = append(stream(rng), hits[:len(hits)/2]...)
		}
		lazy.wake(math.MaxInt)
		lazy.Likely()
		if got, want := lazy.Stats(), busy.Stats(); got.Envelope.Likely != want.Envelope.Likely || got.Params.Likely != want.Params.Likely {
			t.Fatalf("seed %d: stats %+v, want %+v", seed, got, want)
		}
	}
	if rested < 1000 || events < 1000 {
		t.Errorf("the machines rested %d times, and there were %d events", rested, events)
	}
}

// sameEvents compares the events since the last call.
func sameEvents(t *testing.T, seed uint64, lazy, busy *Machine, events *int) {
	t.Helper()
	for !lazy.Settle(3) {
	}
	likely, faded := lazy.PairEvents()
	wantLikely, wantFaded := busy.PairEvents()
	if !reflect.DeepEqual(texts(likely), texts(wantLikely)) || !reflect.DeepEqual(texts(faded), texts(wantFaded)) {
		t.Fatalf("seed %d: likely %v, faded %v, want %v and %v", seed, texts(likely), texts(faded), texts(wantLikely), texts(wantFaded))
	}
	*events += len(likely) + len(faded)
}

func texts(rules []rule.Likely) (all []string) {
	for i := range rules {
		all = append(all, rules[i].Rule.Text())
	}
	slices.Sort(all)
	return all
}

// A site of 30 URLs and three rules that rests takes at most 7 KB, and is charged for no less. A budget of
// 10 KB for each keeps all sites: a quarter of it is for sites with no URL yet, see Sites.bound.
func TestRestingSite(t *testing.T) {
	const sites, urls = 500, 30
	before := worlds.Heap()
	o := options(140, 100_000)
	o.Table.Track, o.Slices = true, true
	s := NewSites(sites, o)
	s.SetBudget(sites * 10 << 10)
	for n := range urls {
		text := fmt.Appendf(nil, []string{"/item/%d", "/item/%d?ref=x", "/old/%d"}[n%3], n/3)
		size := int64(1000 + n/3*100)
		for i := range sites {
			s.Fold(fmt.Sprintf("s%d.example", i), &evidence.Observation{URL: text, Min: size, Max: size})
		}
	}
	folded, charged, likely := worlds.Heap()-before, int64(0), 0
	for m := range s.Held() {
		m.PairEvents()
		m.Rest()
		charged += m.held()
		likely += len(m.Rules())
	}
	if len(s.machines) != sites || len(s.TakeCut()) > 0 {
		t.Errorf("%d sites are held of %d, and some may be cut", len(s.machines), sites)
	}
	taken := worlds.Heap() - before
	t.Logf("a site takes %d bytes before its rules are asked for, %d at rest, and is charged %d", folded/sites, taken/sites, charged/sites)
	if taken > 7<<10*sites || taken > charged || likely < 2*sites {
		t.Errorf("%d sites with %d rules take %d bytes, charged are %d", sites, likely, taken, charged)
	}
	runtime.KeepAlive(s)
}

// A finished machine whose window changes after its rules were asked for has the rules of a machine that saw
// all of it at once.
func TestFinishedGoesOn(t *testing.T) {
	o := options(140, 100_000)
	o.Finished = true
	pages := oracle.Site(1, 2000)
	fold := func(m *Machine, from, to int) {
		for _, p := range pages[from:to] {
			m.Fold(&evidence.Observation{URL: []byte(p.URL), Min: p.Evidence[0].Min, Max: p.Evidence[0].Max})
		}
	}
	m, want := New("s", o), New("s", o)
	fold(m, 0, 1200)
	m.Mine()
	first, _ := m.Mine()
	fold(m, 1200, len(pages))
	fold(want, 0, len(pages))
	got, _ := m.Mine()
	all, _ := want.Mine()
	if !slices.Equal(got, all) || slices.Equal(got, first) || !slices.ContainsFunc(got, func(r rule.Likely) bool { return r.Rule.Kind() == rule.KindDrop }) {
		t.Errorf("%d rules, and %d before; want %d", len(got), len(first), len(all))
	}
}

// A large site at rest takes at most 176 bytes a URL without its rules, and at most 33 for each further pane in
// which its URLs come again. A new URL wakes the site slice by slice.
func TestQuietSite(t *testing.T) {
	const urls, panes = 50_000, 3
	o, pages := options(140, 100_000), oracle.Site(1, urls)
	o.Table.Track, o.Slices = true, true
	before := worlds.Heap()
	m := New("s", o)
	var taken [panes]float64
	for pane := range panes {
		for i := range pages {
			m.Fold(&evidence.Observation{URL: []byte(pages[i].URL), Min: pages[i].Evidence[0].Min, Max: pages[i].Evidence[0].Max, Time: int64(pane) * o.Table.Pane})
		}
		for !m.Settle(1 << 10) {
		}
		m.PairEvents()
		m.MarkSaved()
		if m.RestIfQuiet(); m.awake != (pane == 0) {
			t.Fatalf("pane %d: awake %v", pane, m.awake)
		}
		m.RestIfQuiet()
		rules := m.learn
		m.learn = nil
		taken[pane] = float64(worlds.Heap()-before) / urls
		m.learn = rules
	}
	t.Logf("bytes a URL: %.1f", taken)
	if taken[0] > 176 || taken[2]-taken[0] > 2*33 {
		t.Errorf("%.1f bytes a URL", taken)
	}
	likely := m.Likely()
	m.Fold(&evidence.Observation{URL: []byte("/new"), Time: 2 * o.Table.Pane})
	slices := 0
	for ; !m.Settle(1 << 10); slices++ {
		if _, n := m.Sizes(); n != m.likely {
			t.Fatalf("%d likely rules while the machine wakes, want %d", n, m.likely)
		}
	}
	if slices < urls>>10 || !m.awake || len(m.Likely()) != len(likely) || len(likely) == 0 {
		t.Errorf("awake %v after %d slices, with %d rules of %d", m.awake, slices, len(m.Likely()), len(likely))
	}
}
