package lifecycle_test

import (
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// shop is a made-up shop with its window and candidates, as validate has them.
type shop struct {
	*madeup.Shop
	window *forms.Window
	rules  []rule.Candidate
}

func newShop(urls int) *shop {
	s := &shop{Shop: madeup.NewShop(1, urls)}
	mined := miner.New("", minerOptions())
	for i := range s.Log {
		mined.Fold(&s.Log[i])
	}
	s.window, s.rules = forms.WindowOf(mined), forms.Candidates(mined.AllRules())
	return s
}

func (s *shop) machine() *lifecycle.Machine {
	o := book.Defaults()
	o.Miner, o.RecheckEvery, o.LevelEvery, o.HoldShare = minerOptions(), 0, 0, 1
	m := New("", o)
	m.Load(s.window, s.rules)
	return m
}

// BenchmarkShop measures what the trials of a shop take of the processor beside their requests, 800 for trials of rules and some for the
// set, and what a plan takes.
//
//	go test ./operators/judge/lifecycle -run '^$' -bench Shop -benchtime 1x
func BenchmarkShop(b *testing.B) {
	s := newShop(16_000)
	b.Run("trials", func(b *testing.B) {
		var l *life
		n := 0
		for ; b.Loop(); n++ {
			l = &life{m: s.machine(), w: s, most: 800, now: 1_800_000_000, fetched: map[string]bool{}, twice: map[string]bool{}, each: func() {}}
			l.run()
		}
		requests := float64(l.trials + l.whole)
		b.ReportMetric(requests, "requests")
		b.ReportMetric(float64(len(l.rules())), "rules")
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(n)/requests, "ms/request")
		s.describe(b)
	})
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(len(s.machine().Plan(5, 1_800_000_000))), "planned")
		}
		s.describe(b)
	})
}

func (s *shop) describe(b *testing.B) {
	b.ReportMetric(float64(s.window.Len()), "URLs")
	b.ReportMetric(float64(len(s.rules)), "candidates")
}
