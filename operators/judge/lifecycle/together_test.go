package lifecycle_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// queries is a site of pages of which the log has each under some queries, of pages with one size. A query of other is
// another page.
type queries struct {
	*town
	other map[string]bool
	n     int
}

// ask adds a query of some pages to the log.
func (q *queries) ask(query string, pages int) {
	for range pages {
		q.n++
		page, size := fmt.Sprint("/list/", q.n), int64(2000+97*q.n)
		q.Add(page, page, size)
		text := page
		if q.other[query] {
			text += query
		}
		q.Add(page+"?"+query, text, size)
		for rest := range strings.SplitSeq(query, "&") { // what a drop of fewer names makes of it
			text := page
			if q.other[rest] {
				text += rest
			}
			q.Text[page+"?"+rest], q.Size[page+"?"+rest] = text, size
		}
	}
}

// A rule that drops several names is tried on each set of them that stands in the log: a set that makes another page
// leaves the names that hold.
func TestTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		names  []string
		asked  map[string]int // URLs by query
		other  []string       // queries that make another page
		gone   []string       // queries of a new page that the rules drop
		remain []string       // queries that they leave
		refuse string         // the server refuses the URLs of the log with this query
	}{
		{"both, and rarely one alone, which makes another page", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 60, "size=1": 10, "sort=2": 2}, []string{"sort=2"}, []string{"size=1"}, []string{"sort=2"}, ""},
		{"both, and one alone once", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 60, "sort=2": 1}, []string{"sort=2"}, nil, []string{"sort=2"}, ""},
		{"both, and often one alone, which makes another page", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 40, "size=1": 30, "sort=2": 30}, []string{"sort=2"}, []string{"size=1"}, []string{"sort=2"}, ""},
		{"both make another page, which is rare", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 2, "size=1": 40, "sort=2": 40}, []string{"size=1&sort=2"}, []string{"size=1", "sort=2"}, nil, ""},
		{"each alone and both", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 40, "size=1": 2, "sort=2": 2}, nil, []string{"size=1&sort=2", "size=1", "sort=2"}, nil, ""},
		{"both, and one alone, which is refused", []string{"size", "sort"},
			map[string]int{"size=1&sort=2": 20, "size=1": 70, "sort=2": 4}, nil, []string{"size=1"}, []string{"sort=2"}, "sort=2"},
		{"three names, of which one alone makes another page", []string{"a", "b", "c"},
			map[string]int{"a=1&b=2&c=3": 60, "c=3": 2, "a=1": 2, "a=1&b=2": 30}, []string{"c=3"}, []string{"a=1&b=2", "a=1"}, []string{"c=3"}, ""},
		{"three names, of which two together make another page", []string{"a", "b", "c"},
			map[string]int{"a=1&b=2&c=3": 60, "b=2&c=3": 3, "a=1": 20}, []string{"b=2&c=3"}, []string{"a=1"}, []string{"b=2&c=3"}, ""},
		{"three names that always come together", []string{"a", "b", "c"},
			map[string]int{"a=1&b=2&c=3": 60}, nil, []string{"a=1&b=2&c=3"}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := &queries{town: noTown(), other: map[string]bool{}}
			for _, query := range c.other {
				q.other[query] = true
			}
			for _, query := range slices.Sorted(maps.Keys(c.asked)) {
				q.ask(query, c.asked[query])
			}
			if c.refuse != "" {
				q.Refuses = func(u string) bool {
					return strings.HasSuffix(u, "?"+c.refuse) && slices.ContainsFunc(q.Pages, func(p evidence.Page) bool { return p.URL == u })
				}
			}
			o := madeup.Options()
			o.GivenOnly = true
			m := New("town", o)
			m.Load(forms.NewWindow(slices.Clone(q.Pages)), []rule.Candidate{{Rule: rule.Rule{Edit: rule.DropOf(c.names...)}, Support: 60}})
			q.live(m, 1, ignore)
			rules := rulesOf(m)
			made := func(query string) string {
				form, _ := forms.Compile(rules).Canon(nil, []byte("/new?"+query))
				return string(form)
			}
			for _, query := range c.gone {
				if form := made(query); form != "/new" {
					t.Errorf("%s becomes %s\n%s", query, form, madeup.Words(rules))
				}
			}
			for _, query := range c.remain {
				if form := made(query); !strings.HasSuffix(form, query) {
					t.Errorf("%s becomes %s\n%s", query, form, madeup.Words(rules))
				}
			}
		})
	}
}
