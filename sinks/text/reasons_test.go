package text

import (
	"testing"

	"dustbuster/operators/judge/trial"
)

// Each reason of a pair has words.
func TestReason(t *testing.T) {
	n := 0
	for r := trial.Similar; r.String() != "unknown"; r++ {
		if reasons[r.String()] == "" {
			t.Errorf("%s has no words", r)
		}
		n++
	}
	if n < 20 {
		t.Errorf("only %d reasons", n)
	}
	if got := Reason("of_later_days"); got != "of later days" {
		t.Errorf("an unknown reason is %q", got)
	}
}
