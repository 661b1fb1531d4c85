package page

import (
	"fmt"
	"strings"

	"dustbuster/operators/rule"
)

// StateWords are the states of rules that had a trial, in words.
var StateWords = map[rule.State]string{
	rule.Valid: "confirmed", rule.Refuted: "not confirmed", rule.Undecided: "undecided", rule.Retired: "withdrawn", rule.SentBack: "testing again",
}

// StateTone returns the colour of a state.
func StateTone(s rule.State) string {
	switch s {
	case rule.Valid:
		return string(Good)
	case rule.Refuted, rule.Retired:
		return string(Bad)
	case rule.Undecided:
		return string(Warn)
	}
	return ""
}

// Evidence says what a trial compared. The bound of a rule that only passed the first step is that of few pages, so
// it is not said.
func Evidence(v *rule.Verdict) string {
	if v.Positives+v.Negatives+v.Skipped == 0 {
		return "no pages were compared"
	}
	words := Count(v.Positives, "pair") + " of pages match, " + Number(v.Negatives) + verb(v.Negatives, " differs", " differ")
	if v.Skipped > 0 {
		words += ", " + Number(v.Skipped) + verb(v.Skipped, " is", " are") + " inconclusive"
	}
	switch {
	case v.Step == rule.Provisional:
		return words + ". The first step is passed, and the second goes on"
	case v.Positives+v.Negatives == 0:
		return words
	}
	return words + "; at most " + Bound(v.Bound) + " of its URLs can be wrong"
}

// Bound returns a share as it is shown, on one line. Bounds of shares are compared with 5 %, so small bounds have two digits more.
func Bound(x float64) string {
	const unbroken = "\u00a0"
	if 0.001 <= x && x < 0.0995 {
		return fmt.Sprintf("%.2f"+unbroken+"%%", 100*x)
	}
	return strings.ReplaceAll(Percent(x), " %", unbroken+"%")
}
