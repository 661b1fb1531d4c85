package trials

import (
	"fmt"
	"math"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// Half of a sample are URLs changed by several rules, and a quarter are URLs with
// contradicting sizes, as long as there are such URLs.
func TestSampleProportion(t *testing.T) {
	s := &Set{}
	for kind, n := range [kinds]int{ByOne: 100, BySeveral: 100, Unlike: 100} {
		s.Kinds[kind] = make([]Pair, n)
	}
	for range 40 {
		s.Draw()
	}
	if s.drawn != [kinds]int{ByOne: 10, BySeveral: 20, Unlike: 10} {
		t.Errorf("of 40 draws %v", s.drawn)
	}
	for _, p := s.Draw(); p != nil; _, p = s.Draw() {
	}
	if s.drawn != [kinds]int{100, 100, 100} {
		t.Errorf("of all %v", s.drawn)
	}
}

// The bound is that of a stratified sample: a kind drawn more often than its share says less about the
// whole.
func TestSampleBound(t *testing.T) {
	s := &Set{Documents: map[string]struct{}{}}
	for kind, c := range [kinds]struct{ pairs, positives, negatives int }{ByOne: {9e8, 10, 0}, BySeveral: {8e7, 19, 1}, Unlike: {2e7, 0, 0}} {
		s.Tally.Strata[kind].Pairs = c.pairs
		for i := range c.positives + c.negatives {
			j := trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}
			if i < c.negatives {
				j = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
			}
			s.Count(kind, &Pair{Pair: forms.Pair{U: fmt.Sprint("/u", kind, i), V: fmt.Sprint("/v", kind, i)}}, j)
		}
	}
	one, several := 900.0/980, 80.0/980 // the third kind is unknown
	p, n := several/20, 1/(one*one/10+several*several/20)
	if got := s.Summary(); got.Samples != 30 || got.Negatives != 1 || math.Abs(got.Bound-trial.Upper(p, n, 0.95)) > 1e-6 {
		t.Errorf("%+v, want a bound of %v", got, trial.Upper(p, n, 0.95))
	}
}
