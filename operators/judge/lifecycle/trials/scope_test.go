package trials

import (
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

func TestWithin(t *testing.T) {
	scope := func(prefix, path, param string) rule.Scope {
		return rule.Scope{Prefix: prefix, Path: path, HasPath: path != "", Where: rule.With(param)}
	}
	for _, c := range []struct {
		s, wide rule.Scope
		want    bool
	}{
		{scope("/a/b", "", ""), scope("/a", "", ""), true},
		{scope("/a", "", ""), scope("/a/b", "", ""), false},
		{scope("/a", "", ""), scope("/a", "", ""), false},
		{scope("", "/a/b", ""), scope("/a", "", ""), true},
		{scope("", "/b", ""), scope("/a", "", ""), false},
		{scope("", "/a", "n"), scope("", "/a", ""), true},
		{scope("/a", "", ""), scope("", "", "n"), false},
	} {
		if got := forms.Within(&c.s, &c.wide); got != c.want {
			t.Errorf("%+v within %+v: %v", c.s, c.wide, got)
		}
	}
}

// A rule with a path is narrowed by the text after it.
func TestNarrowedWithinPath(t *testing.T) {
	r := rule.Rule{Edit: rule.Drop{Param: "h"}, Scope: rule.Scope{Path: "/w", HasPath: true}}
	p := &Pair{Pair: forms.Pair{Form: "/w?p=mux;h=1", V: "/w?p=mux"}}
	all := places(&r, p)
	want := r.Scope
	want.Prefix = "/w?p=mux"
	if !all[want] {
		t.Errorf("%+v lacks %+v", all, want)
	}
	for s := range all {
		if s.Prefix == "/w" || s.Prefix == "/" {
			t.Errorf("%+v is no narrower", s)
		}
	}
}
