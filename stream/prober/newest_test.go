package prober_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/prober"
)

// newest fills the newest pane of a site's window. The stories of the second form may have grown.
func newest(m *miner.Machine, at time.Time, grown int64) {
	for i := range 40 {
		for _, form := range []string{"/story?id=%d", "/story_%d", "/other_%d", "/archive_%d", "/news?n=%d", "/old_%d"} {
			size := int64(1000 + 100*i)
			if form == "/story?id=%d" {
				size += grown
			}
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Time: at.Unix(), Min: size, Max: size})
		}
	}
}

// Newest sizes that contradict a published rule lead to a trial within a minute, even while other trials go on.
func TestNewestSizesWhileBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: 10 * time.Second}
		var mu sync.Mutex
		var again time.Time // of the first look at a published rule
		o := options(site, func(r prober.Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Judged != nil && r.Judged.Pair.Purpose == lifecycle.Recheck && again.IsZero() {
				again = time.Now()
			}
		})
		at := minerOptions()
		at.Table.Window, at.Table.Pane = 24*60*60, 60*60
		m, w := miner.New("a.example", at), start(t, o)
		newest(m, time.Now(), 0)
		live := func(until func() bool) {
			for end := time.Now().Add(6 * time.Hour); !until() && time.Now().Before(end); time.Sleep(time.Second) {
				candidates := forms.Candidates(m.Rules())
				w.site.windows.Store("a.example", given{m.Content(), candidates})
				if w.Needs("a.example") {
					w.Offer("a.example", candidates)
				}
			}
		}
		live(func() bool { return w.Published()["a.example"] != nil })
		time.Sleep(time.Second)
		if s := w.Status()["a.example"]; !w.Busy() || s.States[rule.Valid] == 0 {
			t.Fatalf("%+v", s.States)
		}
		newest(m, time.Now().Add(2*time.Hour), 50_000)
		site.move()
		changed := time.Now()
		live(func() bool { mu.Lock(); defer mu.Unlock(); return !again.IsZero() })
		if took := again.Sub(changed); again.IsZero() || took > 90*time.Second { // with two requests of ten seconds each
			t.Errorf("the rule is tested %v later", took)
		}
	})
}
