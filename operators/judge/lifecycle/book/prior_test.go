package book

import (
	"fmt"
	"testing"

	"dustbuster/operators/rule"
)

func TestGrounds(t *testing.T) {
	o := Defaults()
	for _, c := range []struct {
		given rule.Candidate
		want  Grounds
	}{
		{rule.Candidate{Weight: 9, Alike: 1}, Unknown},
		{rule.Candidate{Weighed: true, Weight: 2.9, Alike: 1}, Weak},
		{rule.Candidate{Weighed: true, Weight: 3, Alike: 1}, light},
		{rule.Candidate{Weighed: true, Weight: 9.9, Alike: 0.96}, light},
		{rule.Candidate{Weighed: true, Weight: 10, Alike: 0.96}, Strong},
		{rule.Candidate{Weighed: true, Weight: 300, Alike: 0.94}, Partial},
		{rule.Candidate{Weighed: true, Weight: 3, Alike: 0.8}, Partial},
		{rule.Candidate{Weighed: true, Weight: 300, Alike: 0.79}, poor},
		{onPath(0.5, 1, 30), light},
		{onPath(0.5, 1, 29), Weak},
		{onPath(0.5, 0.99, 300), Weak},
		{rule.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "s"}}, Weighed: true, Weight: 0.5, Alike: 1, Support: 300}, Weak},
		{rule.Candidate{Weighed: true, Weight: 2.9, Alike: 0, Listed: true}, Listed},
		{rule.Candidate{Listed: true}, Listed},
		{rule.Candidate{Weighed: true, Weight: 3, Alike: 0.7, Listed: true}, poor}, // the log can tell
	} {
		if got := o.GroundsOf(&c.given); got != c.want {
			t.Errorf("%+v: %d, want %d", c.given, got, c.want)
		}
	}
}

// onPath is a drop on one path.
func onPath(weight, alike float64, support int) rule.Candidate {
	return rule.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "s"}, Scope: rule.Scope{Path: "/p", HasPath: true}}, Weighed: true, Weight: weight, Alike: alike, Support: support}
}

// Three refusals of one edit for one reason put the other scopes of the edit last, and nothing else.
func TestDoubts(t *testing.T) {
	scoped := func(param string, i int) rule.Rule {
		return rule.Rule{Edit: rule.Drop{Param: param}, Scope: rule.Scope{Path: fmt.Sprint("/p", i), HasPath: true}}
	}
	for _, c := range []struct {
		name    string
		reasons []string // of refuted scopes
		state   rule.State
		of      string // the candidate
		want    bool
	}{
		{"three of one reason", []string{"own_content", "own_content", "own_content"}, rule.Refuted, "s", true},
		{"two", []string{"own_content", "own_content"}, rule.Refuted, "s", false},
		{"three reasons", []string{"own_content", "different", "missing", "own_content"}, rule.Refuted, "s", false},
		{"undecided", []string{"own_content", "own_content", "own_content"}, rule.Undecided, "s", false},
		{"another edit", []string{"own_content", "own_content", "own_content"}, rule.Refuted, "t", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Defaults()
			b := New("site", &o, &Hasher{})
			for i, reason := range c.reasons {
				r := scoped("s", i)
				b.Apply(&Act{Rule: &Entry{ID: rule.ID("site", &r), Rule: r, State: c.state, Verdict: rule.Verdict{Samples: 5, Negatives: 3, Examples: []rule.Example{{Outcome: reason}}}}})
			}
			r := scoped(c.of, 9)
			n := Candidate{ID: rule.ID("site", &r), Rule: r}
			if got := b.Doubts()(&n); got != c.want {
				t.Errorf("doubted %v", got)
			}
			b.Apply(&Act{Rule: &Entry{ID: n.ID, Rule: r, State: rule.SentBack}})
			if b.Doubts()(&n) {
				t.Error("a rule whose trial goes on is doubted")
			}
		})
	}
}
