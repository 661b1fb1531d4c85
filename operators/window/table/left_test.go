package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// A table counts the different URLs that its bounds leave out, whatever the order of the hits and of
// the cuts, and however many tables were merged.
func TestLeftOut(t *testing.T) {
	some := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		o := Options{Window: 1000 * rng.Int64N(2), Pane: 10, MaxURLs: 3 + rng.IntN(30), Key: testKey}
		hits := worlds.Hits(rng, 80, 20)
		parts, all := make([]*Table, 1+rng.IntN(3)), map[string]bool{}
		for i := range parts {
			parts[i] = New(o, urllist.New())
		}
		cut := Cut{Pane: 100, Key: rng.Uint64(), URL: rng.Uint64()}
		for i := range hits {
			all[string(hits[i].URL)] = true
			part := rng.IntN(len(parts))
			parts[part].Fold(&hits[i])
			if rng.IntN(40) == 0 {
				parts[part].AddCut(cut)
				parts[part] = parts[part].Copy(urllist.New(), func(uint32, uint32) {})
			}
		}
		for _, part := range parts[1:] {
			parts[0].Merge(part, func(uint32, uint32) {})
		}
		for id := range parts[0].heads {
			if parts[0].Has(uint32(id)) {
				delete(all, string(parts[0].urls.Text(uint32(id))))
			}
		}
		if got := parts[0].LeftOut(); got != len(all) {
			t.Fatalf("seed %d, %+v: %d URLs are left out, want %d", seed, o, got, len(all))
		}
		some += len(all)
	}
	if some < 300 {
		t.Errorf("only %d URLs are left out", some)
	}
}

// What a pane has left out is forgotten with the pane. A view counts as its table does.
func TestLeftOutLeaves(t *testing.T) {
	tab := New(Options{Window: 20, Pane: 10, MaxURLs: 5, Key: testKey}, urllist.New())
	for i, want := range []int{1, 9, 11, 7, 4, 0} {
		for n := range []int{6, 13, 8, 9, 0, 1}[i] {
			tab.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d/%d", i, n), Time: int64(10 * i)})
		}
		if i == 4 {
			tab.Fold(&evidence.Observation{URL: []byte("/a"), Time: 40})
		}
		if got := [2]int{tab.LeftOut(), tab.View(tab.urls.Clone()).LeftOut()}; got != [2]int{want, want} {
			t.Errorf("after pane %d: %d URLs are left out, want %d", i, got, want)
		}
	}
}

// Of many URLs the count is an estimate. A URL that comes again counts once.
func TestLeftOutOfMany(t *testing.T) {
	for seed := range uint64(3) {
		const n, most = 30_000, 1000
		tab := New(Options{MaxURLs: most, Key: [2]uint64{seed, 1}}, urllist.New())
		for i := range 2 * n {
			tab.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%x", i%n)})
		}
		if got := tab.LeftOut(); got < (n-most)*9/10 || got > (n-most)*11/10 {
			t.Errorf("about %d URLs are left out, want %d", got, n-most)
		}
	}
}
