package miner_test

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// Pages that some clients get packed do not change: no note says that their sizes are apart, and no page of another
// size seems like them.
func TestDoublesAreNotApart(t *testing.T) {
	for _, c := range []struct {
		name   string
		sizes  func(i int64) []int64
		apart  bool
		window int64
	}{
		{"doubles", func(i int64) []int64 { return []int64{8000 + 700*i, 2000 + 175*i} }, false, 0},
		{"doubles, by panes", func(i int64) []int64 { return []int64{8000 + 700*i, 2000 + 175*i} }, false, 48 * 3600},
		{"pages that change", func(i int64) []int64 { return []int64{8000 + 700*i, 2000 + 175*i, 4000 + 300*i} }, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := miner.Options{Table: table.Options{MaxURLs: 1 << 10, Days: true, Window: c.window, Pane: 7200}, Envelope: envelope.Defaults()}
			m := miner.New("s", o)
			for i := range int64(60) {
				for n, size := range c.sizes(i) {
					m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: 1e9 + int64(n)*7200, Min: size, Max: size, Clients: 3})
				}
			}
			for _, test := range []struct {
				name string
				got  *notes.Site
			}{{"machine", m.Notes()}, {"reach", m.Reach().Notes()}, {"look", o.Notes(o.Split(m.Window().Pages(), m.Days()), m.Clients(), 0)}} {
				if apart := slices.ContainsFunc(test.got.Notes, func(n notes.Note) bool { return n.Kind == notes.SizesApart }); apart != c.apart {
					t.Errorf("%s: %+v", test.name, test.got.Notes)
				}
			}
			if seen := m.Reach().See(); !c.apart && seen.Alike > 20 {
				t.Errorf("%d of 60 pages seem alike", seen.Alike)
			}
		})
	}
}
