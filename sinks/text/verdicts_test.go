package text

import (
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// Rules of the same pairs are refuted with one rule, and the line of the rule counts them.
func TestVerdictsOfSamePairs(t *testing.T) {
	entries := []lifecycle.Entry{
		{Rule: rule.Rule{From: "/pt/", To: "/ru/"}, State: rule.Refuted},
		{Rule: rule.Rule{From: "/pt/", To: "/ru/"}, State: rule.Refuted, Same: []string{"a"}},
		{Rule: rule.Rule{From: "/pt/", To: "/ru/"}, State: rule.Refuted, Same: []string{"a", "b", "c"}},
		{Rule: rule.Rule{From: "/pt/", To: "/ru/"}, State: rule.Undecided, Verdict: rule.Verdict{Reason: "unsteady"}},
	}
	var b strings.Builder
	if err := Verdicts(&b, len(entries), func(i int) (string, *lifecycle.Entry) { return "", &entries[i] }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[2:]
	for i, want := range []string{"", " (and another rule of the same pairs)", " (and 3 other rules of the same pairs)", " (unsteady)"} {
		if got, ends := strings.CutSuffix(lines[i], "/pt/ -> /ru/"+want); !ends {
			t.Errorf("%q does not end with the rule and %q", got, want)
		}
	}
}
