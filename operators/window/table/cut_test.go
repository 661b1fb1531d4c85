package table

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/budget"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Given the cuts, the table is a fold of the hits. The moments and order of the cuts and
// the order of the hits have no effect: the table holds the fold of the hits that no cut
// leaves out.
func TestCutsAreAFold(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := Options{Window: 10 * rng.Int64N(5), Pane: 10, MaxURLs: 100, Key: testKey, Track: true}
		hits := worlds.Hits(rng, 60, 12)
		if seed%4 == 0 { // of one family
			for i := range hits {
				hits[i].URL = fmt.Appendf(nil, "/a?n=%d", rng.IntN(100))
			}
			hits = append(hits, hits...)
			for i := range len(hits) / 2 {
				hits[i].URL = append(bytes.Clone(hits[i].URL), '0')
			}
		}
		cuts := make([]Cut, rng.IntN(4))
		for i := range cuts {
			cuts[i] = Cut{Pane: rng.Int64N(9) - 3, Key: rng.Uint64(), URL: rng.Uint64()}
		}
		want := cutPages(o, hits, cuts)
		for range 3 {
			if got := foldCuts(t, rng, o, hits, cuts); !same(got, want) {
				t.Fatalf("seed %d, %+v, cuts %v:\ngot  %v\nwant %v", seed, o, cuts, got, want)
			}
			rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
			rng.Shuffle(len(cuts), func(i, j int) { cuts[i], cuts[j] = cuts[j], cuts[i] })
		}
	}
}

// cutPages returns the plain fold of the hits that no cut leaves out.
func cutPages(o Options, hits []evidence.Observation, cuts []Cut) []evidence.Page {
	plain := oracle.Plains(hits, 10)
	newest := int64(math.MinInt64)
	for i := range plain {
		if o.Window == 0 {
			plain[i].Pane = 0
		}
		newest = max(newest, plain[i].Pane)
	}
	plain = slices.DeleteFunc(plain, func(p oracle.Observation) bool {
		return slices.ContainsFunc(cuts, func(c Cut) bool {
			return p.Pane <= c.Pane && cmp.Or(cmp.Compare(testPlace(p.URL).Key, c.Key), cmp.Compare(testPlace(p.URL).URL, c.URL)) > 0
		})
	})
	panes := int64(1)
	if o.Window > 0 {
		panes = (o.Window + o.Pane - 1) / o.Pane
	}
	plain = slices.DeleteFunc(plain, func(p oracle.Observation) bool { return p.Pane <= newest-panes })
	return oracle.Window(withoutSurplus(plain, cuts), math.MaxInt32, o.MaxURLs, testPlace)
}

// withoutSurplus leaves out the surplus of the families of each pane that a cut reaches.
func withoutSurplus(plain []oracle.Observation, cuts []Cut) []oracle.Observation {
	urls := map[int64][]string{}
	for _, p := range plain {
		if slices.ContainsFunc(cuts, func(c Cut) bool { return p.Pane <= c.Pane }) && !slices.Contains(urls[p.Pane], p.URL) {
			urls[p.Pane] = append(urls[p.Pane], p.URL)
		}
	}
	for pane, list := range urls {
		tiers := oracle.Tiers(list, func(url string) uint64 { return testPlace(url).Family }, testPlace)
		plain = slices.DeleteFunc(plain, func(p oracle.Observation) bool { return p.Pane == pane && tiers[p.URL] > FamilyURLs })
	}
	return plain
}

// foldCuts passes the hits to a table, and the cuts at random moments between them.
func foldCuts(t *testing.T, rng *rand.Rand, o Options, hits []evidence.Observation, cuts []Cut) []evidence.Page {
	tab := New(o, urllist.New())
	cut := func(c Cut) {
		if tab.AddCut(c); rng.IntN(2) == 0 {
			tab = tab.Copy(urllist.New(), func(uint32, uint32) {})
		}
	}
	for i := range hits {
		for len(cuts) > 0 && rng.IntN(len(hits)-i) == 0 {
			cut(cuts[0])
			cuts = cuts[1:]
		}
		tab.Fold(&hits[i])
		if err := tab.Check(); err != nil {
			t.Fatal(err)
		}
		if rng.IntN(4) == 0 {
			settle(tab)
		}
	}
	for _, c := range cuts {
		cut(c)
	}
	settle(tab)
	before := tab.Len()
	tab = tab.Copy(urllist.New(), func(uint32, uint32) {})
	settle(tab)
	if err := tab.Check(); err != nil || tab.Len() > before {
		t.Fatalf("%v; of %d URLs, %d were copied", err, before, tab.Len())
	}
	return pages(tab)
}

// A cut keeps the URLs of smallest hash, as many as fit.
func TestCutTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 200 {
		tab := New(Options{MaxURLs: 100, Key: testKey}, urllist.New())
		for range rng.IntN(30) {
			tab.Fold(&evidence.Observation{URL: []byte("/" + string(rune('a'+rng.IntN(26))) + string(rune('a'+rng.IntN(26))))})
		}
		total := rng.Int64N(20_000)
		before := pages(tab)
		slices.SortFunc(before, func(a, b evidence.Page) int { return compareTest(a.URL, b.URL) })
		want := 0
		for left := total; want < len(before); want++ {
			u := []byte(before[want].URL)
			if left -= budget.Cost(len(u), dust.CountTokens(u)); left < 0 {
				break
			}
		}
		tab.AddCut(tab.CutTo(total))
		tab = tab.Copy(urllist.New(), func(uint32, uint32) {})
		if tab.Cost() > total || tab.Len() != want {
			t.Fatalf("%d of %d URLs are left, for %d of %d; want %d URLs", tab.Len(), len(before), tab.Cost(), total, want)
		}
	}
}

// A copy without cuts tells all that the table tells, and a copy after a cut what a table of the hits
// on the remaining URLs tells, the days of URLs included.
func TestCopyTellsTheSame(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 12))
		o := Options{MaxURLs: 1000, Key: testKey, Days: true}
		hits := worlds.Hits(rng, 200, 20)
		tab := New(o, urllist.New())
		for i := range hits {
			hits[i].Time = rng.Int64N(30 * evidence.SecondsOfDay)
			tab.Fold(&hits[i])
		}
		if seed%2 == 0 {
			tab.AddCut(tab.CutTo(tab.Cost() / 2))
		}
		was, urls := tab.urls, urllist.New()
		tab = tab.Copy(urls, func(from, to uint32) {
			if a, b := was.Text(from), urls.Text(to); string(a) != string(b) {
				t.Fatalf("seed %d: %s is copied as %s", seed, a, b)
			}
		})
		again := New(o, urllist.New())
		for i := range hits {
			if _, here := tab.urls.Lookup(hits[i].URL); here {
				again.Fold(&hits[i])
			}
		}
		again.separators, again.newest = tab.separators, tab.newest
		settle(tab)
		settle(again)
		if got, want := content(tab), content(again); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
	}
}

// Unsaved entries stay unsaved after the copy, and saved entries stay saved.
func TestCopyKeepsUnsaved(t *testing.T) {
	tab := New(Options{MaxURLs: 100, Key: testKey, Track: true}, urllist.New())
	tab.Fold(&evidence.Observation{URL: []byte("/saved"), Max: 1})
	tab.MarkSaved()
	tab.Fold(&evidence.Observation{URL: []byte("/new"), Max: 1})
	tab = tab.Copy(urllist.New(), func(uint32, uint32) {})
	var got []string
	for o := range tab.Unsaved() {
		got = append(got, string(o.URL))
	}
	if !slices.Equal(got, []string{"/new"}) {
		t.Errorf("not saved: %v, want /new", got)
	}
}
