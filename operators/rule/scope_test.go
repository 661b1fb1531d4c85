package rule

import (
	"testing"
)

func TestScopeHolds(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		url   string
		want  bool
	}{
		{Scope{}, "/x?a=1", true},
		{Scope{HasPath: true, Path: "/x"}, "/x?a=1", true},
		{Scope{HasPath: true, Path: "/x"}, "/y", false},
		{Scope{Where: With("a")}, "/x?a", true},
		{Scope{Where: With("a")}, "/x?b", false},
		{Scope{Where: With("a")}, "/x?b=a&=a", false},
		{Scope{Where: Where("a", "1")}, "/x?a=0&a=1", true},
		{Scope{Where: Where("a", "")}, "/x?a", false},
		{Scope{Where: Where("a", "")}, "/x?a=", true},
		{Scope{HasPath: true, Path: "/x", Where: Where("a", "1")}, "/x;a=1", false},
	} {
		if got := c.scope.Holds([]byte(c.url)); got != c.want {
			t.Errorf("%+v holds %s: %v, want %v", c.scope, c.url, got, c.want)
		}
	}
}
