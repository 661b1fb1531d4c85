package book_test

import (
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

func template(t *testing.T, keys ...rule.Key) rule.Rule {
	t.Helper()
	made, err := rule.NewTemplate(append([]rule.Key{{Name: "/0", Any: true}}, keys...))
	expect.NoError(t, err)
	return rule.Rule{Edit: rule.Rewrite{Template: made}}
}

// A veto of a parameter or text holds for rules of all kinds that edit it, and for no other.
func TestEdits(t *testing.T) {
	drop := func(name string) rule.Rule { return rule.Rule{Edit: rule.Drop{Param: name}} }
	valued := rule.Rule{Edit: rule.Drop{Param: "sid", Value: "1", HasValue: true}}
	pattern := rule.Rule{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "s", Class: rule.Digits}}}
	segment := rule.Rule{Edit: rule.Segment{After: "/a/", To: "/a/", Class: rule.Hex}}
	keepOnly := template(t, rule.Key{Name: "id", Any: true}, rule.Key{Name: "sid", Any: true, Edit: rule.DropKey}, rule.Key{Name: "x", Any: true, Edit: rule.DropKey})
	for _, c := range []struct {
		text     string // which names the case
		yes, not []rule.Rule
	}{
		{"sid", []rule.Rule{
			drop("sid"), valued, {Edit: rule.Drop{Param: "sid", InPath: true}}, {Edit: rule.Drop{Param: "a", Other: "sid"}, Scope: rule.Scope{Prefix: "/a"}},
			{Edit: rule.Set{Param: "sid", Value: "1"}}, keepOnly, template(t, rule.Key{Name: "sid", Value: "1", Edit: rule.SetKey, To: "2"}), template(t, rule.Key{Name: "sid", Absent: true, Edit: rule.SetKey, To: "2"}),
			{Edit: rule.Substring{From: "?sid=home"}}, {Edit: rule.Substring{From: "/a", To: "/b?sid=1"}}, {Edit: rule.Substring{From: "sid", To: "id"}}, {Edit: rule.Substring{From: "sid=1", To: "sid=2"}},
		}, []rule.Rule{
			drop("sids"), drop("id"), pattern, segment, {Edit: rule.Set{Param: "id", Value: "sid"}}, {Edit: rule.Substring{From: "?sids=home"}}, {Edit: rule.Substring{From: "/a", To: "/b"}},
			{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Where: rule.With("sid")}}, {Edit: rule.Order{}}, {Edit: rule.Syntax{Form: 1}},
			template(t, rule.Key{Name: "sid", Any: true}, rule.Key{Name: "x", Any: true, Edit: rule.DropKey}),
		}},
		{"s1234", []rule.Rule{pattern}, []rule.Rule{segment}},
		{"sid=1", []rule.Rule{drop("sid"), valued, {Edit: rule.Set{Param: "sid", Value: "2"}}, keepOnly, {Edit: rule.Substring{From: "?sid=1"}}, {Edit: rule.Substring{From: "sid", To: "id"}}},
			[]rule.Rule{drop("id"), {Edit: rule.Drop{Param: "sid", Value: "2", HasValue: true}}, {Edit: rule.Substring{From: "?sid=2x"}}}},
		{"/print/", []rule.Rule{{Edit: rule.Substring{From: "/print/", To: "/"}}, {Edit: rule.Substring{From: "/print", To: ""}}, {Edit: rule.Substring{From: "print", To: "show"}}, {Edit: rule.Substring{From: "/a/print", To: "/a"}}, {Edit: rule.Substring{From: "print/x", To: "x"}}, {Edit: rule.Substring{From: "/", To: "/print/"}},
			template(t, rule.Key{Name: "/1", Value: "print", Edit: rule.DropKey}), template(t, rule.Key{Name: "/1", Any: true, Edit: rule.DropKey}), template(t, rule.Key{Name: "/1", Value: "x", Edit: rule.SetKey, To: "print"})},
			[]rule.Rule{drop("print2"), {Edit: rule.Substring{From: "/printer/", To: "/"}}, {Edit: rule.Substring{From: "/a/", To: "/b/"}}, {Edit: rule.Substring{From: "/", To: "", AtEnd: true}}, segment, keepOnly, template(t, rule.Key{Name: "/1", Value: "x", Edit: rule.DropKey})}},
		{"/0123abcd/", []rule.Rule{segment}, []rule.Rule{drop("a")}},
	} {
		b := book.New("", &book.Options{VetoTexts: []string{c.text}}, &book.Hasher{})
		for _, r := range c.yes {
			if !b.Vetoed(&r) {
				t.Errorf("a veto of %s lets through: %s", c.text, r.Words())
			}
		}
		for _, r := range c.not {
			if b.Vetoed(&r) {
				t.Errorf("a veto of %s holds for: %s", c.text, r.Words())
			}
		}
	}
}

// What a rule does to URLs tells that it edits the value of a vetoed parameter.
func TestChanges(t *testing.T) {
	replace, drop := rule.Rule{Edit: rule.Substring{From: "home", To: "x"}}, rule.Rule{Edit: rule.Drop{Param: "b"}}
	for _, c := range []struct {
		name       string
		r          *rule.Rule
		u, v, text string
		want       bool
	}{
		{"a value", &replace, "/a?ref=home&b=1", "/a?ref=x&b=1", "ref", true},
		{"a value of another parameter", &replace, "/a?b=home&ref=1", "/a?b=x&ref=1", "ref", false},
		{"not in a query", &replace, "/a;ref=home", "/a;ref=x", "ref", false},
		{"a name and its value", &replace, "/a?ref=home", "/a?ref=x", "ref=home", true},
		{"another value of the name", &replace, "/a?ref=1&ref=home", "/a?ref=1&ref=x", "ref=1", false},
		{"a text at the end of what changes", &replace, "/home/a/", "/x/a/", "/a/", false},
		{"a text within what changes", &replace, "/a/home/a/", "/a/x", "/a/", true},
		{"no URL", &replace, "", "", "/", false},
		{"the name tells", &drop, "/a?ref=home", "/a", "ref", false},
	} {
		if got := book.Changes(c.r, c.u, c.v, []string{"no", c.text}); got != c.want {
			t.Errorf("%s: %s to %s changes %s: %v", c.name, c.u, c.v, c.text, got)
		}
	}
}
