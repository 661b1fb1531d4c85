package lifecycle_test

import (
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// A record of outcomes is complete: what was last told of a pair, when it was tried or judged anew, is
// the outcome that led to the verdict.
func TestRejudgedIsTold(t *testing.T) {
	t.Parallel()
	anew, turned, examples := 0, 0, 0
	for seed := range uint64(2) {
		s := madeup.New(seed)
		pages := s.Pages()
		mined := miner.New("", minerOptions())
		for i := range pages {
			for _, o := range forms.ObservationsOf(&pages[i], pages[i].URL) {
				mined.Fold(&o)
			}
		}
		o := book.Defaults()
		o.Miner, o.LevelEvery, o.Veil.Lifted, o.HoldShare = minerOptions(), 0, true, 1
		m := New("", o)
		m.Load(forms.NewWindow(pages), forms.Candidates(mined.AllRules()))
		told, now := map[[2]string]trial.Judgement{}, int64(1_800_000_000)
		for range 1200 {
			test, ok := m.Next(now)
			for _, r := range m.Dialogue.Rejudged() {
				pair := [2]string{r.U, r.V}
				if was, known := told[pair]; was == r.Judgement || r.Rule == "" || r.Purpose != lifecycle.Trial && r.Purpose != lifecycle.Recheck {
					t.Errorf("seed %d: %+v is told again (%v, known: %v)", seed, r, was, known)
				} else if anew++; was.Outcome == trial.Positive && r.Outcome != trial.Positive {
					turned++
				}
				told[pair] = r.Judgement
			}
			for _, a := range m.Acts() {
				if a.Rule == nil || a.Rule.State == rule.SentBack {
					continue
				}
				for _, e := range a.Rule.Verdict.Examples {
					last, known := told[[2]string{e.U, e.V}]
					if !known {
						last = told[[2]string{e.V, e.U}]
					}
					if examples++; last.Reason.String() != e.Outcome {
						t.Errorf("seed %d: %+v of %+v counts as %s, and was told to be %s", seed, e, a.Rule.Rule, e.Outcome, last.Reason)
					}
				}
			}
			if !ok {
				if now += book.Hour; now > 1_800_000_000+2*book.Day {
					break
				}
				continue
			}
			j := m.Dialogue.Outcome(test, m.Dialogue.Measure(test, s.Fetch(test.U), s.Fetch(test.V), func() trial.Compared { return s.Compare(test.U, test.V) }), 1, now)
			told[[2]string{test.U, test.V}] = j
			now++
		}
	}
	if anew < 10 || turned < 3 || examples < 50 {
		t.Errorf("%d outcomes judged anew, %d of them positive before, %d examples", anew, turned, examples)
	}
	t.Logf("%d outcomes judged anew, %d of them positive before; %d examples of verdicts", anew, turned, examples)
}
