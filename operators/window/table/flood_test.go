package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Twenty pages with thousands of URLs each leave nine tenths of the other pages in place,
// whatever the values in the flood are: counters, sessions, facets.
func TestFloodOfPages(t *testing.T) {
	others := oracle.Site(1, 8000)
	for _, c := range []struct {
		name  string
		flood func(rng *rand.Rand, page int) string
	}{
		{"counter", func(rng *rand.Rand, page int) string {
			return fmt.Sprintf("/shop/list%d.php?n=%d", page, rng.IntN(1_000_000))
		}},
		{"session", func(rng *rand.Rand, page int) string {
			return fmt.Sprintf("/shop/article-%d.html?sid=%016x", page, rng.Uint64())
		}},
		{"facets", func(rng *rand.Rand, page int) string {
			return fmt.Sprintf("/list/%d?color=c%d&size=%d&sort=s%d&page=%d", page, rng.IntN(9), rng.IntN(9), rng.IntN(9), rng.IntN(9))
		}},
		{"only a number", func(rng *rand.Rand, page int) string { return fmt.Sprintf("/p%d?%d", page, rng.Uint32()) }},
	} {
		tab := New(Options{MaxURLs: 10_000, Key: testKey}, urllist.New())
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range 100_000 {
			tab.Fold(&evidence.Observation{URL: []byte(c.flood(rng, i%20))})
			if i < len(others) {
				tab.Fold(&evidence.Observation{URL: []byte(others[i].URL)})
			}
		}
		left := 0
		for _, p := range others {
			if id, ok := tab.urls.Lookup([]byte(p.URL)); ok && tab.Has(id) {
				left++
			}
		}
		if left < len(others)*9/10 {
			t.Errorf("%s: of %d other URLs, %d are left", c.name, len(others), left)
		}
	}
}

// A URL that a full pane takes in or sheds is ranked: BenchmarkFoldNew is the cost.
func BenchmarkFoldNew(b *testing.B) {
	tab := New(Options{MaxURLs: 20_000, Key: testKey}, urllist.New())
	pages := oracle.Site(1, 1_000_000)
	for _, p := range pages[:100_000] {
		tab.Fold(&evidence.Observation{URL: []byte(p.URL)})
	}
	b.ReportAllocs()
	i := 100_000
	for b.Loop() {
		tab.Fold(&evidence.Observation{URL: []byte(pages[i%len(pages)].URL)})
		i++
	}
}
