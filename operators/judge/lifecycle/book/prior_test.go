package book

import (
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
