package prober

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// If requests are limited, few sites are tried at once.
func TestMostSites(t *testing.T) {
	for _, c := range []struct {
		total, begun int
		want         bool
	}{{0, 1000, true}, {2500, 4, true}, {2500, 5, false}, {10, 0, true}, {10, 1, false}} {
		turns := NewTurns(&pages{total: c.total}, TurnsOptions{})
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
		site := &pages{took: time.Second, delay: delay}
		o := optionsOf(site)
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
			if status := s.machine.Answers.Status(); status.URLs > 0 {
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
