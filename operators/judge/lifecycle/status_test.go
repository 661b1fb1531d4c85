package lifecycle

import (
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
)

// The bound of a rule with exceptions is that of its verdict.
func TestBoundOnTrial(t *testing.T) {
	plain := trial.Tally{}
	plain.Strata[0] = trial.Stratum{Pairs: 1000, Positives: 60}
	excepted := plain
	excepted.Exceptions = 2
	without, with := onTrial(OnTrial{}, &plain), onTrial(OnTrial{}, &excepted)
	if without.Bound != plain.Bound() || with.Bound != excepted.Bound() || with.Bound <= without.Bound {
		t.Errorf("bounds %v and %v, with exceptions %v and %v", without.Bound, plain.Bound(), with.Bound, excepted.Bound())
	}
}

// No part of the machine can give out a URL that may not be fetched. Such a look becomes a skip, and
// the machine continues.
func TestNothingPrivateIsGivenOut(t *testing.T) {
	c, o := madeup.Links(40, 400), madeup.Options()
	o.Kinds = book.AnyKind
	m := New("crowd", o)
	m.Load(forms.WindowOf(c.Mined), forms.Candidates(c.Mined.Rules()))
	m.guard.Of = make([]forms.Privacy, len(m.guard.Of)) // as if all URLs had been public when the pairs were drawn
	m.derive(1)
	best, _ := chooserOf(m.life, 1).choose(chooserOf(m.life, 1).openCandidates())
	m.ongoing.rule = trials.New(m.judge(1), best, m.view.Forms, m.view.Moves(&best), 0, m.ongoing.awaited)
	m.ongoing.rule.IsNew = true
	m.guard = forms.NewGuard(m.window, &book.Options{Kinds: book.AnyKind}, nil)
	skips := 0
	(&town{c.Town}).live(m, 1, func(test Look) {
		if !m.guard.Allows(test.Asked(), test.V) {
			t.Fatalf("asked for %s and %s", test.U, test.V)
		}
	})
	for _, r := range m.book.Memory.Results() {
		if r.Reason == trial.NotAllowed {
			skips++
		}
	}
	if skips == 0 || len(m.book.Valid()) == 0 {
		t.Errorf("%d skips, %d valid rules", skips, len(m.book.Valid()))
	}
}
