package trial_test

import (
	"testing"

	"dustbuster/operators/judge/trial"
)

// What robots are sent, and people are not, proves nothing.
func TestWalls(t *testing.T) {
	page := trial.Shown{HTML: true, Words: 300, Sent: 3000, Length: 3000}
	like := func(change func(s *trial.Shown)) trial.Shown { s := page; change(&s); return s }
	log := trial.Logged{Sizes: []trial.Size{{Min: 3000, Max: 3000}}}
	walled := log
	walled.Wall = trial.Size{Min: 2500, Max: 3500}
	for _, c := range []struct {
		name string
		u, v trial.Shown
		log  trial.Logged
		want trial.Judgement
	}{
		{"two pages", page, page, log, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}},
		{"u asks for a proof", like(func(s *trial.Shown) { s.Wall = true }), page, log, trial.Judgement{Outcome: trial.Skip, Reason: trial.Refused}},
		{"v asks for a proof", page, like(func(s *trial.Shown) { s.Wall = true }), log, trial.Judgement{Outcome: trial.Skip, Reason: trial.Refused}},
		{"another size", like(func(s *trial.Shown) { s.Sent, s.Length = 3500, 3500 }), page, log, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}},
		{"another size, and Vary", like(func(s *trial.Shown) { s.Sent, s.Length, s.Varies = 3500, 3500, true }), page, log, trial.Judgement{Outcome: trial.Skip, Reason: trial.OtherPage}},
		{"the size of the log, and Vary", like(func(s *trial.Shown) { s.Varies = true }), page, log, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}},
		{"compressed, and Vary", like(func(s *trial.Shown) { s.Length, s.Varies = 9000, true }), page, log, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}},
		{"the size that robots are sent", page, page, walled, trial.Judgement{Outcome: trial.Skip, Reason: trial.OtherPage}},
	} {
		judged := trial.Case{Tau: 0.9, Self: 1, U: c.log, V: c.log}
		if got := judged.Judge(&trial.Compared{Alike: 0.95, U: c.u, V: c.v}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
