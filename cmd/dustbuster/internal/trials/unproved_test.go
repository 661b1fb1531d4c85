package trials

import (
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// A rule of many pairs takes 59 outcomes, and each outcome two requests. A rule that needs nothing more,
// as far as is known, takes one pair.
func TestUnproved(t *testing.T) {
	of := func(state rule.State, step rule.Step, gain, samples int) tried {
		return tried{Entry: book.Entry{State: state, Verdict: rule.Verdict{Step: step, Samples: samples}, Joined: book.Joined{Gain: gain}}}
	}
	told := &trying{verdicts: map[string]tried{
		"proved": of(rule.Valid, "", 9000, 59), "refuted": of(rule.Refuted, rule.Provisional, 9000, 3),
		"large": of(rule.Valid, rule.Provisional, 1_000_000, 20), "small": of(rule.Valid, rule.Provisional, 3, 20),
	}}
	if n, requests := told.unproved(); n != 2 || requests != 2*(59-20)+2 {
		t.Errorf("%d rules, %d requests", n, requests)
	}
}
