package prober

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
)

// order notes in which order sites are tried.
type order struct {
	mu    sync.Mutex
	sites []string // without repetition of the last
}

func (o *order) report(r Report) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.sites); r.Judged != nil && (n == 0 || o.sites[n-1] != r.Site) {
		o.sites = append(o.sites, r.Site)
	}
}

// first is the sites in the order in which they had their first turn.
func (o *order) first() (sites []string) {
	for _, s := range o.sites {
		if !slices.Contains(sites, s) {
			sites = append(sites, s)
		}
	}
	return sites
}

// Of the waiting sites, over all workers, the one with the greatest expected gain runs first,
// and not the one that came first. The running site gives way when its trial has ended.
func TestTurnsByExpectedGain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen, turns := &order{}, &Turns{}
		var workers []*Worker
		for range 2 {
			o := options(&world{asked: map[string]int{}, took: time.Millisecond}, nil) // no answer before all sites are given
			o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
			o.Sites, o.Turns, o.Report = 1, turns, seen.report
			workers = append(workers, New(o))
		}
		give(workers[0], siteOf("small.example", 20))
		give(workers[0], siteOf("large.example", 60))
		give(workers[1], siteOf("largest.example", 90))
		give(workers[1], siteOf("smaller.example", 12))
		for workers[0].Busy() || workers[1].Busy() {
			time.Sleep(time.Second)
		}
		for _, w := range workers {
			w.Close()
		}
		if got, want := seen.first(), []string{"small.example", "largest.example", "large.example", "smaller.example"}; !slices.Equal(got, want) {
			t.Errorf("the first turns are those of %v, want %v; all turns %v", got, want, seen.sites)
		}
		if n := slices.Index(seen.sites[1:], "small.example"); n < 0 {
			t.Errorf("the site that came first did not give way: %v", seen.sites)
		}
	})
}

// The sites of a closed worker leave the queue, and sites of other workers run.
func TestTurnsOfClosedWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen, turns := &order{}, &Turns{}
		open := func() *Worker {
			o := options(&world{asked: map[string]int{}, took: time.Millisecond}, nil) // no answer before all sites are given
			o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
			o.Sites, o.Turns, o.Report = 1, turns, seen.report
			return New(o)
		}
		gone, stays := open(), open()
		give(gone, siteOf("a.example", 60))
		give(gone, siteOf("b.example", 60))
		give(stays, siteOf("c.example", 12))
		gone.Close()
		for stays.Busy() {
			time.Sleep(time.Second)
		}
		stays.Close()
		if gone.Busy() || slices.Contains(seen.sites, "b.example") || !slices.Contains(seen.sites, "c.example") {
			t.Errorf("turns %v", seen.sites)
		}
	})
}

// At most the configured number of sites is tried at once, and fewer if requests are
// limited.
func TestMostSites(t *testing.T) {
	for _, c := range []struct{ most, total, want int }{{0, 0, 16}, {3, 0, 3}, {40, 0, 40}, {40, 2500, 5}, {3, 2500, 3}, {40, 10, 1}} {
		o := options(&world{asked: map[string]int{}, total: c.total}, nil)
		o.MostSites = c.most
		w := New(o)
		if got := w.atOnce(); got != c.want {
			t.Errorf("at most %d, %d requests: %d at once, want %d", c.most, c.total, got, c.want)
		}
		w.Close()
	}
}

// A rule's trial that has begun may take half of the requests kept for that of the set.
func TestRestAt(t *testing.T) {
	for _, c := range []struct {
		left, kept int
		want       lifecycle.Rest
	}{
		{1000, 100, lifecycle.NoRest}, {101, 100, lifecycle.NoRest}, {100, 100, lifecycle.LastRule}, {51, 100, lifecycle.LastRule},
		{50, 100, lifecycle.FullRest}, {0, 100, lifecycle.FullRest}, {1, 0, lifecycle.NoRest}, {0, 0, lifecycle.FullRest},
	} {
		if got := restAt(c.left, c.kept); got != c.want {
			t.Errorf("%d left, %d kept: %d, want %d", c.left, c.kept, got, c.want)
		}
	}
}
