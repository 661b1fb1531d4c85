package trials

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// An exception for the unlike pairs explains all negatives or none, follows from the pairs that were
// tried, and must be public.
func TestWithoutUnlike(t *testing.T) {
	tried := func(o trial.Outcome) trial.Judgement { return trial.Judgement{Outcome: o} }
	for _, c := range []struct {
		name        string
		near, apart []trial.Outcome // of the first of 100 and of 4 pairs
		hidden      string
		want        bool
	}{
		{"no negative", []trial.Outcome{trial.Positive}, []trial.Outcome{trial.Positive}, "", false},
		{"a negative", []trial.Outcome{trial.Positive}, []trial.Outcome{trial.Negative}, "", true},
		{"a negative elsewhere", []trial.Outcome{trial.Positive, trial.Negative}, []trial.Outcome{trial.Negative}, "", false},
		{"a pair that leads back", []trial.Outcome{trial.Positive, trial.Returned}, []trial.Outcome{trial.Negative}, "", false},
		{"half are positive", []trial.Outcome{trial.Positive}, []trial.Outcome{trial.Negative, trial.Positive}, "", true},
		{"most are positive", []trial.Outcome{trial.Positive}, []trial.Outcome{trial.Negative, trial.Positive, trial.Positive}, "", false},
		{"a hidden URL", []trial.Outcome{trial.Positive}, []trial.Outcome{trial.Negative}, "/other3", false},
	} {
		a := &Trial{Candidate: book.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "v"}}}}
		a.hides = func(text string) bool { return c.hidden != "" && strings.Contains(text, c.hidden) }
		add := func(h, n int, form string, l forms.Likeness, outcomes []trial.Outcome) {
			for i := range n {
				p := Pair{Pair: forms.Pair{Form: fmt.Sprintf(form, i), Likeness: l}}
				if i < len(outcomes) {
					p.Outcome = tried(outcomes[i])
					a.Tally.Add(h, outcomes[i], 1)
				}
				a.Tally.Strata[h].Pairs++
				a.Pairs[h] = append(a.Pairs[h], p)
			}
		}
		add(trial.Near, 100, "/page%d?v=1", forms.AlikeInLog, c.near)
		add(trial.Apart, 4, "/other%d?v=1", forms.UnlikeInLog, c.apart)
		r, ok := a.WithoutUnlike()
		if ok != c.want || ok && len(r.Except.URLs()) != 4 {
			t.Errorf("%s: %v, %s; want %v", c.name, ok, r.Words(), c.want)
		}
	}
}
