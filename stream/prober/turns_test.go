package prober

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/stream/turns"
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

// alone returns the options of workers of which one site at a time is asked.
func alone(seen *order) func() *Worker {
	site := &world{asked: map[string]int{}, took: time.Millisecond, alone: new(atomic.Int32)} // no answer before all sites are given
	turns := NewTurns(site, TurnsOptions{})
	return func() *Worker {
		o := options(site, nil)
		o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
		o.Turns, o.Report = turns, seen.report
		return New(o)
	}
}

// Of the waiting sites, over all workers, the one with the greatest expected gain runs first,
// and not the one that came first. The running site gives way when its trial has ended.
func TestTurnsByExpectedGain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &order{}
		open := alone(seen)
		workers := []*Worker{open(), open()}
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

// If requests are limited, few sites are tried at once.
func TestMostSites(t *testing.T) {
	for _, c := range []struct {
		total, begun int
		want         bool
	}{{0, 1000, true}, {2500, 4, true}, {2500, 5, false}, {10, 0, true}, {10, 1, false}} {
		turns := NewTurns(&world{total: c.total}, TurnsOptions{})
		turns.begun = c.begun
		if got := turns.hasRoom(time.Now()); got != c.want {
			t.Errorf("%d requests, %d sites: room %v", c.total, c.begun, got)
		}
	}
}

// Sites wait without windows. Views beyond the memory are dropped, those used least recently first, and trials go on
// when they are derived again.
func TestViewsAreDropped(t *testing.T) {
	for _, delay := range []time.Duration{0, 3 * keptFor} { // the views of slow sites make room for others
		testViews(t, delay)
	}
}

func testViews(t *testing.T, delay time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		const sites, views, mostPairs = 4, 1, 300
		machines := map[string]*miner.Machine{}
		for i := range sites {
			m := siteOf(fmt.Sprintf("s%d.example", i), 12+i)
			machines[m.Site()] = m
		}
		one := bytesOf(forms.WindowOf(machines["s3.example"])) + mostPairs*book.PairBytes
		site := &world{asked: map[string]int{}, took: time.Second, delay: delay}
		o := options(site, nil)
		o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery, o.Lifecycle.HoldShare = 0, 0, 1
		o.Turns = NewTurns(site, TurnsOptions{Views: views * one})
		w := New(o)
		var mu sync.Mutex
		pulled := map[string]int{}
		w.TakeWindows(func(_ context.Context, site string) (*miner.Machine, []rule.Candidate) {
			mu.Lock()
			defer mu.Unlock()
			pulled[site]++
			return machines[site], forms.Candidates(machines[site].Rules())
		})
		for _, name := range slices.Sorted(maps.Keys(machines)) {
			w.Offer(name, forms.Candidates(machines[name].Rules()))
		}
		most := int64(0)
		for w.Busy() {
			time.Sleep(500 * time.Millisecond)
			o.Turns.mu.Lock()
			most = max(most, o.Turns.used)
			o.Turns.mu.Unlock()
		}
		synctest.Wait()
		loaded := 0
		for _, s := range w.all() {
			if status := s.machine.Status(); status.URLs > 0 {
				loaded++
			}
			packed := s.machine.Bytes()
			if s.machine.Pack(); s.machine.Bytes() != packed || packed == 0 {
				t.Errorf("the pairs of %s take %d bytes, and packed %d", s.name, packed, s.machine.Bytes())
			}
		}
		if loaded != o.Turns.loaded.Len() || loaded == sites || o.Turns.used > views*one {
			t.Errorf("%d machines have windows, %d views are counted, with %d bytes", loaded, o.Turns.loaded.Len(), o.Turns.used)
		}
		if most == 0 || most > (views+mostDerived)*one {
			t.Errorf("views take %d bytes, that of a site %d", most, one)
		}
		other := New(o)
		for _, c := range slices.Collect(w.Dump()) {
			other.Restore(c)
		}
		other.Pack()
		for _, s := range other.all() {
			if n, was := s.machine.Bytes(), w.known(s.name).machine.Bytes(); n == 0 || n > was {
				t.Errorf("restored pairs of %s take %d bytes, %d before", s.name, n, was)
			}
		}
		again := 0
		for name := range machines {
			if p := w.Published()[name]; p == nil || len(p.Records) == 0 {
				t.Errorf("%s has no list", name)
			}
			if pulled[name] > 1 {
				again++
			}
		}
		t.Logf("with a delay of %v, the views of %d of %d sites were derived again", delay, again, sites)
		if (again == sites) != (delay > keptFor) { // a view may make room just before its site's next turn
			t.Errorf("with a delay of %v, the views of %d sites were derived again", delay, again)
		}
		w.Close()
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
	all := NewTurns(&world{alone: new(atomic.Int32)}, TurnsOptions{Rate: 1, OriginDelay: time.Second})
	for i := range 900 {
		s := &turns.Site{Origin: "a", Rank: turns.Rank{Expected: 1}, Of: i}
		all.queue.Put(s, time.Unix(0, 0))
	}
	want := Waiting{Sites: 900, First: 900, Rate: 4, OriginDelay: 0.25} // 900 pairs in a quarter of half an hour
	if got := all.Waiting(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	all.o.Rate, all.o.OriginDelay = 4, 250*time.Millisecond
	if got := all.Waiting(); got.Rate != 0 || got.OriginDelay != 0 {
		t.Errorf("%+v, and both are enough", got)
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
