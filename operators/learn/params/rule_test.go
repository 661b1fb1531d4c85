package params

import (
	"cmp"
	"testing"

	"dustbuster/operators/rule"
)

// TestCompare compares a list in order: support, kind of scope, then parameter, path, the
// scope's parameter and its value.
func TestCompare(t *testing.T) {
	path := func(p string) rule.Scope { return rule.Scope{Path: p, HasPath: true} }
	value := func(m, v string) rule.Scope { return rule.Scope{Where: rule.Where(m, v)} }
	list := []rule.Likely{
		drop("z", path("/z"), 9, 9),
		drop("n", rule.Scope{}, 3, 3),
		drop("o", rule.Scope{}, 3, 3),
		drop("a", path("/"), 3, 3),
		drop("a", path("/a"), 3, 3),
		drop("b", path(""), 3, 3),
		drop("a", value("m", ""), 3, 3),
		drop("a", value("m", "1"), 3, 3),
		drop("a", value("o", "0"), 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.With("m")}, 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.With("o")}, 3, 3),
		drop("A", rule.Scope{Path: "/", HasPath: true, Where: rule.Where("m", "1")}, 3, 3),
		drop("a", rule.Scope{Path: "/", HasPath: true, Where: rule.Where("m", "1")}, 3, 3),
		drop("a", rule.Scope{}, 2, 2),
	}
	for i, a := range list {
		for j, b := range list {
			if got := rule.Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v compare as %d", a, b, got)
			}
		}
	}
}
