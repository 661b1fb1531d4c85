package forms_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/evidence"
)

// Where robots alone are sent pages of one size, about, and people pages of other sizes, that size is a wall's: at
// URLs of this kind, listed or not.
func TestWallsOfRobots(t *testing.T) {
	other := func(i int) int64 { return int64(4000 + 700*i) }
	for _, c := range []struct {
		name           string
		robots, people func(i int) int64
		both           uint32 // families that ask for the first kind as well
		want           bool
	}{
		{"a wall", func(i int) int64 { return int64(1500 + i%7) }, other, 0, true},
		{"pages of any size", other, other, 0, false},
		{"pages of one size for all", func(int) int64 { return 1500 }, func(int) int64 { return 1500 }, 0, false},
		{"URLs of all", func(int) int64 { return 1500 }, other, crawler.People, false},
	} {
		m := miner.New("", madeup.MinerOptions())
		add := func(url string, size int64, families uint32) {
			m.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: 6, Families: families})
		}
		for i := range 20 {
			add(fmt.Sprintf("/item/%d", i), c.robots(i), crawler.Other|c.both)
			add(fmt.Sprintf("/item/%d", 100+i), c.people(i), crawler.People)
			add(fmt.Sprintf("/news/%d", i), 1500, crawler.Other)
		}
		w := forms.WindowOf(m)
		for _, url := range []string{"/item/3", "/item/103", "/item/999"} {
			if wall := w.Logged(url).Wall; (wall.Max > 0) != c.want || c.want && (wall.Min > 1500 || wall.Max < 1506) {
				t.Errorf("%s: %s: %v", c.name, url, wall)
			}
		}
		if wall := w.Logged("/news/3").Wall; wall.Max > 0 {
			t.Errorf("%s: people ask for nothing there: %v", c.name, wall)
		}
	}
}
