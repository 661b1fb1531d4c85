package prober

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
)

// An operator sees the trial under way, and later what came of all trials. A site whose machine
// computes keeps nobody waiting for long.
func TestDetail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		w := start(t, options(site, nil))
		if _, ok := w.Detail(t.Context(), "a.example", lifecycle.Query{}); ok || len(w.all()) > 0 {
			t.Error("an unknown site was made up")
		}
		run(w, mined(40), 20*time.Second)
		d, ok := w.Detail(t.Context(), "a.example", lifecycle.Query{Most: 10})
		if !ok || d.Course == nil || len(d.Course.Tried) == 0 || d.Course.Epsilon == 0 {
			t.Errorf("%v, %+v", ok, d)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		d, ok = w.Detail(t.Context(), "a.example", lifecycle.Query{Most: 3})
		if !ok || d.Course != nil || len(d.History) == 0 || len(d.Tried) != 3 || d.Counted < 3 || len(d.Coverage) < 2 {
			t.Errorf("%v, %+v", ok, d)
		}
		s := w.known("a.example")
		s.mu.Lock()
		begun := time.Now()
		if _, ok := w.Detail(t.Context(), "a.example", lifecycle.Query{}); ok || time.Since(begun) > 2*detailWait {
			t.Errorf("%v after %v", ok, time.Since(begun))
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, ok := w.Detail(gone, "a.example", lifecycle.Query{}); ok {
			t.Error("a client that has gone got an answer")
		}
		s.mu.Unlock()
	})
}
