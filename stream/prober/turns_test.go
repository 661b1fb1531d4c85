package prober_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/stream/prober"
)

// order notes in which order sites are tried.
type order struct {
	mu    sync.Mutex
	sites []string // without repetition of the last
}

func (o *order) report(r prober.Report) {
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

// alone returns the options of workers of which one site at a time is asked.
func alone(seen *order) func() *worker {
	site := &world{asked: map[string]int{}, took: time.Millisecond, alone: new(atomic.Int32)} // no answer before all sites are given
	turns := prober.NewTurns(site, prober.TurnsOptions{})
	return func() *worker {
		o := options(site, nil)
		o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
		o.Turns, o.Report = turns, seen.report
		return open(o)
	}
}

// Of the waiting sites, over all workers, the one with the greatest expected gain runs first,
// and not the one that came first. The running site gives way when its trial has ended.
func TestTurnsByExpectedGain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &order{}
		open := alone(seen)
		workers := []*worker{open(), open()}
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
		seen := &order{}
		open := alone(seen)
		gone, stays := open(), open()
		give(gone, siteOf("a.example", 60))
		give(gone, siteOf("c.example", 60))
		give(stays, siteOf("d.example", 12))
		gone.Close()
		for stays.Busy() {
			time.Sleep(time.Second)
		}
		stays.Close()
		if gone.Busy() || slices.Contains(seen.sites, "c.example") || !slices.Contains(seen.sites, "d.example") {
			t.Errorf("turns %v", seen.sites)
		}
	})
}

// The window of a site that is given candidates is asked for, even if an older one is in memory.
func TestNewWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(&world{asked: map[string]int{}}, nil)
		o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
		w := start(t, o)
		m, pulled := siteOf("a.example", 20), 0
		w.TakeWindows(func(context.Context, string) (*miner.Machine, []rule.Candidate) {
			pulled++
			return m, forms.Candidates(m.Rules())
		})
		for want := 1; want <= 2; want++ {
			w.Offer("a.example", forms.Candidates(m.Rules()))
			for w.Busy() {
				time.Sleep(time.Second)
			}
			if pulled != want {
				t.Errorf("%d windows, want %d", pulled, want)
			}
		}
	})
}

// The status says what the sites need that wait for a turn.
func TestWaiting(t *testing.T) {
	for _, c := range []struct {
		name        string
		rate        float64
		originDelay time.Duration
		want        prober.Waiting
	}{
		{"too slow", 1, time.Second, prober.Waiting{Sites: 900, First: 900, Rate: 4, OriginDelay: 0.25}}, // 900 pairs in a quarter of half an hour
		{"enough", 4, 250 * time.Millisecond, prober.Waiting{Sites: 900, First: 900}},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := &world{asked: map[string]int{}, alone: new(atomic.Int32), origin: "a"}
			site.alone.Add(1) // somebody else is asked
			o := options(site, nil)
			o.Turns = prober.NewTurns(site, prober.TurnsOptions{Rate: c.rate, OriginDelay: c.originDelay})
			w := start(t, o)
			candidates := forms.Candidates(siteOf("s.example", 20).Rules())
			for i := range 900 {
				w.Offer(fmt.Sprintf("s%d.example", i), candidates)
			}
			if got := o.Turns.Waiting(); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
