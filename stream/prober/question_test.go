package prober_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/evidence"
)

// BenchmarkQuestion measures how long a question waits for an answer, or for the word that the site is busy, while the
// view of 100,000 URLs is derived and its first pairs are tried.
func BenchmarkQuestion(b *testing.B) {
	mining := minerOptions()
	mining.Table.MaxURLs = 200_000
	m := miner.New("a.example", mining)
	for i := range 50_000 {
		for _, form := range []string{"/story?id=%d", "/story_%d"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: int64(1000 + i%9000), Max: int64(1000 + i%9000)})
		}
	}
	m.Rules()
	for b.Loop() {
		o := options(&world{asked: map[string]int{}, took: time.Millisecond}, nil)
		o.Lifecycle.Miner = mining
		w := open(o)
		give(w, m)
		var took []time.Duration
		busy, until := 0, time.Now().Add(10*time.Second)
		for time.Now().Before(until) {
			begun := time.Now()
			if _, err := w.Detail(b.Context(), "a.example", lifecycle.Query{}); errors.Is(err, report.ErrBusy) {
				busy++
			}
			took = append(took, time.Since(begun))
			time.Sleep(time.Millisecond)
		}
		w.Close()
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "most-ms")
		b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "p99-ms")
		b.ReportMetric(float64(busy), "busy")
		b.ReportMetric(float64(len(took)), "questions")
	}
}
