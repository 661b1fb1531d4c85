package prober_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/prober"
)

// A server that shows the same page everywhere, although the log has pages of many sizes,
// proves no rule.
func TestOnePageEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, closed: true}
		var mu sync.Mutex
		said := map[string]int{}
		w := open(options(site, func(r prober.Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Judged != nil && r.Judged.Pair.Purpose != lifecycle.Control {
				said[r.Judged.Outcome+" "+r.Judged.Reason]++
			}
		}))
		defer w.Close()
		run(w, mined(40), time.Hour)
		if w.Published()["a.example"] != nil || w.Status()["a.example"].States[rule.Valid] > 0 {
			t.Errorf("rules hold: %+v", w.Status()["a.example"])
		}
		if said["skip "+trial.OtherPage.String()] < 10 || site.requests() > 150 {
			t.Errorf("said %v with %d requests", said, site.requests())
		}
		w.Close()
		for _, c := range w.Drain() {
			if a, ok := c.(checkpoint.Act); ok && a.Rule != nil && a.Rule.State == rule.Valid {
				t.Errorf("valid: %+v", a.Rule)
			}
		}
	})
}

// Pages with a token of each request resemble themselves about as much as two pages must
// resemble each other. In some looks such pages seem quiet. No rule may fail for that
// reason.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, tokens: true}
		w := start(t, options(site, nil))
		taken := tried(w, mined(40), time.Hour)
		if s := w.Status()["a.example"]; s.States[rule.Valid] != 1 || taken.published["a.example"] == nil {
			t.Errorf("status %+v", s)
		}
	})
}
