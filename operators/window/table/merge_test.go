package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Tables that were merged equal the table of all observations, with days and clients, whoever folded
// which, and also where URLs are shed.
func TestMerge(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 9))
		o := Options{Pane: 10, MaxURLs: 1000, Key: testKey, Window: rng.Int64N(45), Days: seed%2 == 0}
		if o.Days {
			o.Window = 0
		}
		if rng.IntN(3) == 0 {
			o.MaxURLs = 1 + rng.IntN(5)
		}
		hits := worlds.Hits(rng, 60+int(seed%3)*100, 12)
		whole, parts := New(o, urllist.New()), make([]*Table, 1+rng.IntN(4))
		for i := range parts {
			parts[i] = New(o, urllist.New())
		}
		for i := range hits {
			if seed%2 == 0 { // many days, of which only the newest are kept
				if hits[i].Time = rng.Int64N(30 * evidence.SecondsOfDay); hits[i].Time > 10*evidence.SecondsOfDay {
					hits[i].Min, hits[i].Max = 2, 2
				}
			}
			hits[i].Clients, hits[i].Families = 1<<rng.IntN(16), 1<<rng.IntN(32)
			whole.Fold(&hits[i])
			part := rng.IntN(len(parts))
			if seed%4 == 0 {
				part = len(hits[i].URL) % len(parts)
			}
			parts[part].Fold(&hits[i])
		}
		settle(whole)
		for _, part := range parts[1:] {
			parts[0].Merge(part, func(from, to uint32) {
				if a, b := part.urls.Text(from), parts[0].urls.Text(to); string(a) != string(b) {
					t.Fatalf("seed %d: %s is kept as %s", seed, a, b)
				}
			})
			if err := parts[0].Check(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		settle(parts[0])
		if want := oracle.Window(oracle.Plains(hits, 10), (o.Window+o.Pane-1)/o.Pane, o.MaxURLs, testPlace); !same(pages(parts[0]), want) {
			t.Fatalf("seed %d, %+v:\n got %v\nwant %v", seed, o, pages(parts[0]), want)
		}
		if got, want := content(parts[0]), content(whole); o.MaxURLs == 1000 && got != want {
			t.Fatalf("seed %d, %+v:\n got %s\nwant %s", seed, o, got, want)
		}
	}
}

// content returns all that a table tells.
func content(t *Table) string {
	days, all := t.Days(), []string{}
	for _, p := range pages(t) {
		p.Number, _ = t.urls.Lookup([]byte(p.URL))
		all = append(all, fmt.Sprint(p.URL, p.Evidence, t.Clients(p.Number), t.Families(p.Number), days.Append([]evidence.Day{}, &p)))
	}
	slices.Sort(all)
	return fmt.Sprint(t.newest, t.separators, t.Len(), t.Cost()) + strings.Join(all, "\n")
}
