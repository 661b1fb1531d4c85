package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// The days of a page are the joins of its sizes: by UTC day in a window without an end, also of
// URLs that had left the table, and by pane in other windows.
func TestDays(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		o := Options{MaxURLs: 8, Days: true}
		if seed%2 == 0 {
			o.Window, o.Pane, o.MaxURLs = 5*3600, 3600, 100
		}
		tab := New(o, urllist.New())
		var all []evidence.Observation
		for range 150 {
			size := 1 + rng.Int64N(1+int64(seed%5))*rng.Int64N(9)
			all = append(all, evidence.Observation{URL: fmt.Appendf(nil, "/%d", rng.IntN(12)), Time: rng.Int64N(4 * evidence.SecondsOfDay), Min: size, Max: size})
			tab.Fold(&all[len(all)-1])
		}
		days := tab.Days().Clone()
		for id := range tab.urls.All() {
			if !tab.Has(id) {
				continue
			}
			page := evidence.Page{URL: string(tab.urls.Text(id)), Evidence: tab.Evidence(nil, id), Number: id}
			got := days.Append(nil, &page)
			if want := tab.plainDays(all, page.URL); o.Window > 0 && !slices.Equal(got, want) || o.Window <= 0 && !within(got, want) {
				t.Fatalf("seed %d, %s:\n got %v\nwant %v", seed, page.URL, got, want)
			}
		}
	}
}

// within reports whether the days are among others, since a URL that left the table has lost those
// before.
func within(days, among []evidence.Day) bool {
	for _, d := range days {
		at := slices.IndexFunc(among, func(o evidence.Day) bool { return o.Number == d.Number })
		if at < 0 || d.Min < among[at].Min || d.Max > among[at].Max {
			return false
		}
	}
	return len(days) > 0 || len(among) == 0
}

// plainDays returns the days of a URL by definition.
func (t *Table) plainDays(all []evidence.Observation, url string) (days []evidence.Day) {
	newest, _ := t.Newest()
	spans := map[int64]evidence.Span{}
	for _, o := range all {
		number := o.Time / evidence.SecondsOfDay
		if t.o.Window > 0 {
			number = o.Time / t.o.Pane
		}
		if string(o.URL) != url || t.o.Window > 0 && number <= newest-t.panes {
			continue
		}
		s, seen := spans[number]
		if !seen {
			s = evidence.Span{Min: o.Min, Max: o.Max}
		}
		spans[number] = evidence.Span{Min: min(s.Min, o.Min), Max: max(s.Max, o.Max)}
	}
	for number, s := range spans {
		days = append(days, evidence.PaneDay(number, s))
	}
	slices.SortFunc(days, evidence.Day.Compare)
	return days
}

// The doubles of a table are the URLs whose days have sizes of two groups.
func TestDoubles(t *testing.T) {
	similar := evidence.Similarity{Tolerance: 0.01}
	for _, c := range []struct {
		name  string
		sizes []int64
		want  evidence.Spans
	}{
		{"one size", []int64{3000, 3000}, nil},
		{"packed and unpacked", []int64{3000, 1000, 1004}, evidence.Spans{{Min: 1000, Max: 1004}, {Min: 3000, Max: 3000}}},
		{"three sizes", []int64{3000, 1000, 2000}, nil},
		{"a page that grows", []int64{3000, 4000}, nil},
		{"a group that is too wide", []int64{1000, 1020, 3000}, nil},
	} {
		for _, window := range []int64{0, 48 * 3600} {
			t.Run(fmt.Sprint(c.name, ", window ", window), func(t *testing.T) {
				tab := New(Options{MaxURLs: 8, Days: true, Window: window, Pane: 7200}, urllist.New())
				for i, size := range c.sizes {
					tab.Fold(&evidence.Observation{URL: []byte("/a"), Time: int64(1e9) + int64(i)*7200, Min: size, Max: size})
				}
				var got evidence.Spans
				for _, split := range tab.Doubles(similar) {
					got = split
				}
				if !got.Equal(c.want) {
					t.Errorf("%v, want %v", got, c.want)
				}
			})
		}
	}
}
