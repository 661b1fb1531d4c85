package rule

import "testing"

func TestScopeHolds(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		url   string
		want  bool
	}{
		{Scope{}, "/x?a=1", true},
		{Scope{HasPath: true, Path: "/x"}, "/x?a=1", true},
		{Scope{HasPath: true, Path: "/x"}, "/y", false},
		{Scope{Param: "a"}, "/x?a", true},
		{Scope{Param: "a"}, "/x?b", false},
		{Scope{Param: "a"}, "/x?b=a&=a", false},
		{Scope{Param: "a", HasValue: true, Value: "1"}, "/x?a=0&a=1", true},
		{Scope{Param: "a", HasValue: true, Value: ""}, "/x?a", false},
		{Scope{Param: "a", HasValue: true, Value: ""}, "/x?a=", true},
		{Scope{HasPath: true, Path: "/x", Param: "a", HasValue: true, Value: "1"}, "/x;a=1", false},
	} {
		if got := c.scope.Holds([]byte(c.url)); got != c.want {
			t.Errorf("%+v holds %s: %v, want %v", c.scope, c.url, got, c.want)
		}
	}
}
