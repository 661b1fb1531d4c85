package dashboard

import (
	"testing"

	"dustbuster/operators/rule"
)

// What is marked is what the rule takes and puts in, and not what two texts happen to have in common.
func TestDifference(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "sid"}}
	for _, c := range []struct {
		rule                     rule.Rule
		before, after            string
		start, in, rest, tookOut string
	}{
		{drop, "http://h/x?sid=1&side=2", "http://h/x?side=2", "http://h/x?", "", "side=2", "sid=1&"},
		{drop, "/x?a=1&sid=1", "/x?a=1", "/x?a=1", "", "", "&sid=1"},
		{drop, "/x?sid=1#top", "/x#top", "/x", "", "#top", "?sid=1"},
		{drop, "/x?a=s;sid=s;b=s", "/x?a=s;b=s", "/x?a=s;", "", "b=s", "sid=s;"},
		{rule.Rule{Edit: rule.Substring{From: "/index.html", To: "/"}}, "/a/index.html", "/a/", "/a", "/", "", "/index.html"},
		{rule.Rule{Edit: rule.Substring{From: "/story?id=", To: "/story_"}}, "/story?id=7", "/story_7", "", "/story_", "7", "/story?id="},
		{rule.Rule{Edit: rule.Substring{From: "a", To: "aa"}}, "/b/a", "/b/aa", "/b/", "aa", "", "a"},
		{rule.Rule{Edit: rule.Set{Param: "sort", Value: "10"}}, "/x?sort=100", "/x?sort=10", "/x?sort=", "10", "", "100"},
		{rule.Rule{Edit: rule.Syntax{}}, "/\u00e9", "/\u00e8\u00e8", "/", "\u00e8\u00e8", "", "\u00e9"},
	} {
		s := step{Text: c.after, Rule: c.rule}
		s.difference(c.before)
		if s.Before != c.start || s.New != c.in || s.After != c.rest || s.Cut != c.tookOut {
			t.Errorf("%s: %q, %q, %q, and takes out %q", c.before, s.Before, s.New, s.After, s.Cut)
		}
	}
}

// No two texts make the marks lose a byte.
func FuzzDifference(f *testing.F) {
	f.Add("/x?sid=1&side=2", "/x?side=2", "sid", "")
	f.Add("/a", "/aa", "a", "aa")
	f.Fuzz(func(t *testing.T, before, after, from, to string) {
		for _, r := range []rule.Rule{{Edit: rule.Substring{From: from, To: to}}, {Edit: rule.Drop{Param: from}}} {
			s := step{Text: after, Rule: r}
			if s.difference(before); s.Before+s.New+s.After != after || s.Before+s.Cut+s.After != before {
				t.Errorf("%q, %q: %+v", before, after, s)
			}
		}
	})
}
