package text_test

import (
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/sinks/text"
)

func TestCanonicals(t *testing.T) {
	drop := []rule.Rule{{Edit: rule.Drop{Param: "s"}}}
	mask := func(s string) string { return strings.ReplaceAll(s, "9", "*") }
	for _, c := range []struct {
		name  string
		site  string
		pages []text.Named
		rules []rule.Rule
		want  string
	}{
		{"none", "a.example", nil, drop, ""},
		{"the rules' own", "a.example", []text.Named{{"/a?s=1", "/a"}, {"/a", "/a"}}, drop, ""},
		{"itself, which the rules change", "a.example", []text.Named{{"/a?s=9", "/a?s=9"}, {"/a", "/a"}}, drop,
			"Of 2 fetched pages with a canonical URL, 1 names another than the rules make. For example /a?s=* names /a?s=*, and the rules make /a."},
		{"one that no rule makes", "a.example", []text.Named{{"/a?t=1", "/a"}, {"/b?s=1", "//b.example/b"}, {"/c", "/c"}}, drop,
			"Of 3 fetched pages with a canonical URL, 2 name another than the rules make. For example /b?s=1 names //b.example/b, and the rules make /b."},
		{"without rules", "a.example", []text.Named{{"/a?t=1", "/a"}}, nil,
			"Of 1 fetched page with a canonical URL, 1 names another than the rules make. For example /a?t=1 names /a, and the rules leave it as it is."},
		{"the host is not known", "", []text.Named{{"/a?s=1", "//a.example/a"}, {"/b?s=1", "//a.example/b?s=1"}}, drop,
			"Of 2 fetched pages with a canonical URL, 1 names another than the rules make. For example /b?s=1 names /b?s=1, and the rules make /b."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var told text.Canonicals
			if err := told.Site(c.site, c.pages, c.rules); err != nil {
				t.Fatal(err)
			}
			if got := told.Outcome(mask); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}
