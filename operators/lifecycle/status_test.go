package lifecycle

import (
	"testing"

	"dustbuster/operators/trial"
)

// The bound of a rule with exceptions is that of the rule's verdict.
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
