package trials_test

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
)

// Half of a sample are URLs changed by several rules, and a quarter are URLs with
// contradicting sizes, as long as there are such URLs.
func TestSampleProportion(t *testing.T) {
	s := &trials.Set{}
	for kind := range s.Kinds {
		s.Kinds[kind] = make([]trials.Pair, 100)
	}
	drawn := map[int]int{}
	for range 40 {
		kind, _ := s.Draw()
		drawn[kind]++
	}
	if !maps.Equal(drawn, map[int]int{trials.ByOne: 10, trials.BySeveral: 20, trials.Unlike: 10}) {
		t.Errorf("of 40 draws %v", drawn)
	}
	for kind, p := s.Draw(); p != nil; kind, p = s.Draw() {
		drawn[kind]++
	}
	if !maps.Equal(drawn, map[int]int{trials.ByOne: 100, trials.BySeveral: 100, trials.Unlike: 100}) {
		t.Errorf("of all %v", drawn)
	}
}

// The bound is that of a stratified sample: a kind drawn more often than its share says less about the
// whole.
func TestSampleBound(t *testing.T) {
	s := &trials.Set{Documents: map[string]struct{}{}}
	for _, c := range []struct{ kind, pairs, positives, negatives int }{
		{trials.ByOne, 9e8, 10, 0},
		{trials.BySeveral, 8e7, 19, 1},
		{trials.Unlike, 2e7, 0, 0},
	} {
		s.Tally.Strata[c.kind].Pairs = c.pairs
		for i := range c.positives + c.negatives {
			j := trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}
			if i < c.negatives {
				j = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
			}
			s.Count(c.kind, &trials.Pair{Pair: forms.Pair{U: fmt.Sprint("/u", c.kind, i), V: fmt.Sprint("/v", c.kind, i)}}, j)
		}
	}
	one, several := 900.0/980, 80.0/980 // the third kind is unknown
	p, n := several/20, 1/(one*one/10+several*several/20)
	if got := s.Summary(); got.Samples != 30 || got.Negatives != 1 || math.Abs(got.Bound-trial.Upper(p, n, 0.95)) > 1e-6 {
		t.Errorf("%+v, want a bound of %v", got, trial.Upper(p, n, 0.95))
	}
}
