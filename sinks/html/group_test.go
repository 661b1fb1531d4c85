package html

import (
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
		{rule.Rule{Kind: 99}, false, other},
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
