package html

import (
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		rule     rule.Rule
		byDomain bool
		want     kind
	}{
		{rule.Rule{Kind: rule.Drop, Param: "sid"}, false, leftOut},
		{rule.Rule{Kind: rule.Set, Param: "page", Value: "1"}, false, valued},
		{rule.Rule{Kind: rule.Order}, false, spelled},
		{rule.Rule{Kind: rule.Syntax, Form: rule.Slashes}, false, spelled},
		{rule.Rule{Kind: rule.Rewrite}, false, shaped},
		{rule.Rule{From: "index.html", To: "", AtEnd: true}, false, removed},
		{rule.Rule{From: ".html?x=1", To: ".html", AtEnd: true}, false, removed},
		{rule.Rule{From: "/old/", To: "/", AtStart: true}, false, removed},
		{rule.Rule{From: "/old/", To: "/new/"}, false, replaced},
		{rule.Rule{From: "/", To: "/print/", AtStart: true}, false, replaced}, // the URL grows
		{rule.Rule{From: "www.example.org/", To: "example.org/", AtStart: true}, true, hosts},
		{rule.Rule{From: "www.example.org/a", To: "www.example.org/b", AtStart: true}, true, replaced},
		{rule.Rule{From: "www.example.org/", To: "example.org/", AtStart: true}, false, removed},
	} {
		if got := kindOf(&c.rule, c.byDomain); got != c.want {
			t.Errorf("%+v: %s, want %s", c.rule, kinds[got].title, kinds[c.want].title)
		}
	}
	for k, words := range kinds {
		if words.title == "" || words.about == "" {
			t.Errorf("kind %d has no words", k)
		}
	}
}

func TestDisallow(t *testing.T) {
	rules := []rule.Rule{
		{Kind: rule.Drop, Param: "sid"},
		{Kind: rule.Drop, Param: "x*$"},                                                        // would mean more
		{Kind: rule.Drop, Param: "id", Scope: rule.Scope{HasPath: true, Path: "/a"}},           // not on the whole site
		{Kind: rule.Drop, Param: "a", Other: "b"},                                              // both at once
		{Kind: rule.Drop, Param: "c", Value: "1", HasValue: true},                              // one value only
		{Kind: rule.Drop, Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}},              // many names
		{Kind: rule.Drop, Param: "jsessionid", InPath: true},                                   // no query
		{Kind: rule.Set, Param: "page", Value: "1"}, {From: "index.html", To: "", AtEnd: true}, // no drop
	}
	if got, want := disallow(rules), []string{"Disallow: /*?sid=", "Disallow: /*&sid="}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var many []rule.Rule
	for c := range 20 {
		many = append(many, rule.Rule{Kind: rule.Drop, Param: string(rune('a' + c))})
	}
	if got := disallow(many); len(got) != mostLines+1 || got[mostLines] != "# … and 28 more" {
		t.Errorf("%q", got)
	}
}
