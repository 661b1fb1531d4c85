package text_test

import (
	"strings"
	"testing"

	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/read/labels"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/sinks/text"
)

func TestLabelled(t *testing.T) {
	f := &labels.File{}
	if err := f.Read([]byte("URL,Canonical\n/a?s=1,/a\n/b?s=1,/b?s=2\n/c?t=1,/c\n/d?t=1,/d\n/e?t=1,/e\n/f?t=1,/f\n/g,/g\n/h,https://b.example/\nhttps://d.example/a,https://d.example/a\n")); err != nil {
		t.Fatal(err)
	}
	plain := func(host, path string) (site, url string, ok bool) { return host, path, true }
	all := labelled.New(f.Rows, plain)
	pages := []evidence.Page{{URL: "/a"}, {URL: "/a?s=1"}, {URL: "/d?t=1"}, {URL: "/f?t=1"}}
	mask := func(s string) string { return strings.ReplaceAll(s, "1", "*") }
	for _, c := range []struct {
		name, site string
		rules      []rule.Rule
		want       string
	}{
		{"no rule", "", nil, "Of 6 duplicates in the table, 0 are explained by these rules, 6 are not (/a?s=*, /d?t=*, /f?t=*, ...). Your log has 3 of them; 1 more leads to another host."},
		{"one rule", "", []rule.Rule{{Edit: rule.Drop{Param: "s"}}}, "Of 6 duplicates in the table, 2 are explained by these rules, 4 are not (/d?t=*, /f?t=*, /c?t=*, ...). Your log has 3 of them; 1 more leads to another host."},
		{"all rules", "", []rule.Rule{{Edit: rule.Drop{Param: "s"}}, {Edit: rule.Drop{Param: "t"}}}, "Of 6 duplicates in the table, 6 are explained by these rules, 0 are not. Your log has 3 of them; 1 more leads to another host."},
		{"no duplicate", "d.example", nil, "The table of duplicates names no duplicate of your log's sites."},
		{"another site", "c.example", nil, "The table of duplicates has none of your log's sites."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l text.Labelled
			if err := l.Site(all, c.site, c.rules, pages); err != nil {
				t.Fatal(err)
			}
			if got := l.Outcome("these rules", mask); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}
