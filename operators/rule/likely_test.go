package rule

import (
	"cmp"
	"encoding/json"
	"testing"
)

// A list is ordered by support, then parameters before substrings, then the order of the
// kind: of parameters from wide scopes to narrow, of substrings by the support over large
// buckets and by length.
func TestCompare(t *testing.T) {
	sub := func(from, to string, support, high int) Likely {
		return Likely{Rule: Rule{Edit: Substring{From: from, To: to}}, Support: support, SupportHigh: high}
	}
	drop := func(param string, s Scope, support int) Likely {
		return Likely{Rule: Rule{Edit: Drop{Param: param}, Scope: s}, Support: support}
	}
	list := []Likely{
		sub("a", "b", 9, 9),
		drop("z", Scope{}, 5),
		drop("a", Scope{Path: "/", HasPath: true}, 5),
		drop("a", Scope{Where: Where("m", "v")}, 5),
		drop("a", Scope{Path: "/", HasPath: true, Where: With("m")}, 5),
		drop("a", Scope{Path: "/", HasPath: true, Where: Where("m", "v")}, 5),
		sub("a", "b", 5, 8),
		sub("/a", "/b", 5, 7),
		sub("a", "b", 5, 7),
		sub("a", "c", 5, 7),
	}
	for i, a := range list {
		for j, b := range list {
			if got := Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%+v and %+v compare as %d", a, b, got)
			}
		}
	}
}

// A line names the learner, unless it is exact at every moment.
func TestWireNamesLearner(t *testing.T) {
	for _, c := range []struct{ learner, want string }{{"envelope", ""}, {"params", ""}, {"", ""}, {"equal", "equal"}} {
		l := Likely{Rule: Rule{Edit: Substring{From: "a", To: "b"}}, Learner: c.learner}
		if got := l.Wire().Learner; got != c.want {
			t.Errorf("learner %q is written as %q, want %q", c.learner, got, c.want)
		}
	}
}

// A substring rule is written as its pair, in either direction.
func TestWireOfLikely(t *testing.T) {
	want := `{"schema":2,"site":"s","kind":"substring","alpha":"ab","beta":"c","at_start":false,"at_end":true,"scope":{},"support":3,"support_high":4}`
	for _, r := range []Rule{{Edit: Substring{From: "ab", To: "c", AtEnd: true}}, {Edit: Substring{From: "c", To: "ab", AtEnd: true}}} {
		l := Likely{Site: "s", Rule: r, Learner: "envelope", Support: 3, SupportHigh: 4}
		if got, err := json.Marshal(l.Wire()); err != nil || string(got) != want {
			t.Errorf("%s (%v), want %s", got, err, want)
		}
	}
}
