package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// The visits are those of the hits on the days that the window holds as a whole, and on the newest day.
func TestVisits(t *testing.T) {
	type visit struct {
		date int64
		url  string
	}
	some := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		hour := int64(3600)
		o := Options{Window: []int64{24, 12, 48, 200, 5}[rng.IntN(5)] * hour, Pane: []int64{2, 1, 24, 5, 48}[rng.IntN(5)] * hour, MaxURLs: 100}
		tab := New(o, urllist.New())
		if got := tab.Visits(); got != nil {
			t.Fatalf("an empty table has the visits %v", got)
		}
		var all []evidence.Observation
		day, first := int64(evidence.SecondsOfDay), rng.Int64N(3)-1
		for range 80 {
			hit := evidence.Observation{URL: fmt.Appendf(nil, "/%d", rng.IntN(9)), Time: first*day + rng.Int64N(4*day), Min: 1, Max: 1, Families: rng.Uint32() & rng.Uint32()}
			all = append(all, hit)
			tab.Fold(&hit)
		}
		newest, _ := tab.Newest()
		oldest := newest - (o.Window+o.Pane-1)/o.Pane + 1 // pane in the window
		dateOf := func(pane int64) int64 { return evidence.PaneOf(pane*o.Pane, day) }
		want := map[visit]uint32{}
		for _, hit := range all {
			pane := evidence.PaneOf(hit.Time, o.Pane)
			date := dateOf(pane)
			whole := dateOf(oldest-1) < date
			if pane >= oldest && (whole || date == dateOf(newest)) && hit.Families != 0 {
				want[visit{date, string(hit.URL)}] |= hit.Families
			}
		}
		got, last := map[visit]uint32{}, int64(-10)
		for _, v := range tab.Visits() {
			got[visit{v.Date, string(tab.urls.Text(v.URL))}] |= v.Families
			if v.Date < last {
				t.Fatalf("seed %d: date %d after %d", seed, v.Date, last)
			}
			last = v.Date
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d, %+v:\n got %v\nwant %v", seed, o, got, want)
		}
		some += len(want)
	}
	if some < 5000 {
		t.Errorf("only %d visits", some)
	}
	endless := New(Options{Pane: 1, MaxURLs: 9}, urllist.New())
	endless.Fold(&evidence.Observation{URL: []byte("/"), Families: 4, Min: 1, Max: 1})
	if got := endless.Visits(); got != nil {
		t.Errorf("a window without an end has the visits %v", got)
	}
}
