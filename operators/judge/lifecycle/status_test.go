package lifecycle

import (
	"testing"

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

// The time of the next mining is told only once the forms have been mined.
func TestNextLevel(t *testing.T) {
	const start = 1_800_000_000
	c := links(t, 40, 0)
	m := c.machine()
	told := func() {
		if at := m.Answers.Status().LevelAt; at != 0 && at < start {
			t.Fatalf("the forms may be mined again at %d, long before the first trial", at)
		}
	}
	c.town.live(m, start, func(Look) { told() })
	told()
}
