package prober_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/stream/prober"
)

// tryAll tries sites to the end, as validate does.
func tryAll(w *worker, sites ...*miner.Machine) {
	for _, m := range sites {
		give(w, m)
	}
	for {
		for w.Busy() {
			time.Sleep(time.Second)
		}
		again := w.Rested()
		if len(again) == 0 {
			break
		}
		for _, m := range sites {
			for _, name := range again {
				if m.Site() == name {
					give(w, m)
				}
			}
		}
	}
	w.Close()
	w.Conclude()
}

func totalOptions(site *world) prober.Options {
	o := options(site, nil)
	o.Kept = min(100, site.total/4)
	o.Lifecycle.LevelEvery, o.Lifecycle.RecheckEvery = 0, 0
	o.Lifecycle.HoldShare = 1 // no update waits for approval
	return o
}

// For any total number of requests, no more requests are made, and each publication was
// tried as a set. With enough requests, rules are published.
func TestTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules, m := 0, siteOf("a.example", 80)
		for total := 10; total <= 1500; total += total/4 + 1 {
			site := &world{asked: map[string]int{}, total: total}
			w := open(totalOptions(site))
			tryAll(w, m)
			p := w.Published()["a.example"]
			if site.made > total {
				t.Errorf("%d requests, want %d", site.made, total)
			}
			if p == nil {
				if total >= 300 || rules > 0 {
					t.Errorf("%d requests: nothing is published", total)
				}
				continue
			}
			if len(p.Records) < rules {
				t.Errorf("%d requests: %d rules, %d with fewer", total, len(p.Records), rules)
			}
			rules = len(p.Records)
			if s := p.Sample; s.Negatives > 0 || s.Samples < 8 { // one rule went out alone; the few requests left try the second beside it
				t.Errorf("%d requests: the set was tried at %+v", total, s)
			}
			t.Logf("%d: %d rules, made %d, %+v", total, rules, site.made, p.Sample)
		}
		if rules < 2 {
			t.Errorf("%d rules", rules)
		}
	})
}

// Several sites share the requests, and each has its set tried.
func TestTotalOfSites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sites []*miner.Machine
		for i := range 5 {
			sites = append(sites, siteOf(fmt.Sprintf("s%d.example", i), 40))
		}
		for _, total := range []int{200, 600, 1200, 2500} {
			site := &world{asked: map[string]int{}, total: total}
			w := open(totalOptions(site))
			tryAll(w, sites...)
			published := 0
			for _, p := range w.Published() {
				published++
				if s := p.Sample; s.Negatives > 0 || s.Samples < 10 {
					t.Errorf("%d requests: the set was tried at %+v", total, s)
				}
			}
			valid := 0
			for _, s := range w.Status() {
				if s.States[rule.Valid] > 0 {
					valid++
				}
			}
			t.Logf("%d requests, %d made: %d sites with rules, %d published", total, site.made, valid, published)
			if published < valid || total >= 600 && published == 0 {
				t.Errorf("%d requests: %d sites with rules, %d published", total, valid, published)
			}
		}
	})
}

// When all requests of a daemon's site are made, the site publishes the sets tried so far,
// reports the end once, and waits for ever.
func TestTotalOfDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, total := range []int{150, 200, 250, 320} {
			waits := 0
			site := &world{asked: map[string]int{}, total: total}
			o := totalOptions(site)
			o.Report = func(r prober.Report) {
				if r.Wait != nil {
					waits++
				}
			}
			w := open(o)
			for m := siteOf("a.example", 80); w.Needs(m.Site()); time.Sleep(time.Hour) {
				give(w, m)
				for w.Busy() {
					time.Sleep(time.Second)
				}
			}
			w.Close()
			if p := w.Published()["a.example"]; waits != 1 || p == nil || p.Sample.Samples < 10 || site.made != total {
				t.Errorf("%d requests of %d, %d waits; published %+v", site.made, total, waits, p)
			}
		}
	})
}
