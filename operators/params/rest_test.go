package params

import (
	"testing"

	"dustbuster/operators/rule"
)

func TestRestOfURL(t *testing.T) {
	for _, c := range []struct {
		url, param, want string
		has              bool
	}{
		{"/?a=1&n=2;b=3", "n", "/?a=1&b=3", true},
		{"/?n", "n", "/", true},
		{"/?a=n", "n", "/?a=n", false},
		{"/n", "n", "/n", false},
		{"/?n=1&a;n", "n", "/?a", true},
		{"/?=n&a", "", "/?=n&a", false},
	} {
		if got, has := Rest([]byte(c.url), c.param); string(got) != c.want || has != c.has {
			t.Errorf("%s without %s: %s (%v), want %s (%v)", c.url, c.param, got, has, c.want, c.has)
		}
	}
}

func TestScopeHolds(t *testing.T) {
	for _, c := range []struct {
		scope rule.Scope
		url   string
		want  bool
	}{
		{rule.Scope{}, "/x?a=1", true},
		{rule.Scope{HasPath: true, Path: "/x"}, "/x?a=1", true},
		{rule.Scope{HasPath: true, Path: "/x"}, "/y", false},
		{rule.Scope{Param: "a"}, "/x?a", true},
		{rule.Scope{Param: "a"}, "/x?b", false},
		{rule.Scope{Param: "a"}, "/x?b=a&=a", false},
		{rule.Scope{Param: "a", HasValue: true, Value: "1"}, "/x?a=0&a=1", true},
		{rule.Scope{Param: "a", HasValue: true, Value: ""}, "/x?a", false},
		{rule.Scope{Param: "a", HasValue: true, Value: ""}, "/x?a=", true},
		{rule.Scope{HasPath: true, Path: "/x", Param: "a", HasValue: true, Value: "1"}, "/x;a=1", false},
	} {
		if got := Holds(&c.scope, []byte(c.url)); got != c.want {
			t.Errorf("%+v holds %s: %v, want %v", c.scope, c.url, got, c.want)
		}
	}
}
