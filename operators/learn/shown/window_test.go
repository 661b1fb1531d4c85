package shown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// world is a window of pairs of URLs. A rule joins the pairs that the test names.
type world struct {
	shown.Window
	pairs map[rule.Rule][][2]uint32
}

func newWorld() *world {
	w := &world{pairs: map[rule.Rule][][2]uint32{}}
	w.Pairs = func(r *rule.Rule) [][2]uint32 { return w.pairs[*r] }
	w.Acts = func(url string) bool { return strings.Contains(url, "delete") }
	return w
}

// joins says which URLs a rule joins: u1 v1 u2 v2 and so on, each with its size.
func (w *world) joins(edit rule.Edit, own float64, size func(n int) int64, urls ...string) rule.Likely {
	r := rule.Rule{Edit: edit}
	for i := 0; i < len(urls); i += 2 {
		at := uint32(len(w.Pages))
		for n := range 2 {
			s := size(i + n)
			w.Pages = append(w.Pages, evidence.Page{URL: urls[i+n], Evidence: evidence.Spans{{Min: s, Max: s}}})
		}
		w.pairs[r] = append(w.pairs[r], [2]uint32{at, at + 1})
	}
	return rule.Likely{Rule: r, Weighed: true, Own: own, Weight: 9}
}

func same(int) int64                { return 1000 }
func other(n int) int64             { return int64(1000 + n) }
func one(n int) int64               { return int64(1000 + max(0, n-1)) }
func sub(from, to string) rule.Edit { return rule.Substring{From: from, To: to} }

// Thumbnails beside pictures are no duplicates. One pair of one size is enough to look at the others.
func TestFiles(t *testing.T) {
	pictures := []string{"/a.jpg", "/t/a.jpg", "/b.PNG?x", "/t/b.png"}
	for _, c := range []struct {
		name string
		size func(int) int64
		urls []string
		want bool
	}{
		{"other sizes", other, pictures, true}, {"one pair of one size", one, pictures, false}, {"a page among them", other, append(pictures, "/c.html", "/t/c.html"), false},
		{"a script", other, []string{"/a.js", "/b/a.js"}, false}, {"no pairs", other, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			if r := w.joins(sub("/", "/t/"), 9, c.size, c.urls...); w.Files(&r.Rule) != c.want {
				t.Errorf("got %v", !c.want)
			}
		})
	}
}

// Rules that put one value of a name for another share a row, if there are three of them and none has evidence of its own.
func TestValues(t *testing.T) {
	values := func(w *world, own float64, url string, n int) (rows []shown.Row) {
		for i := range n {
			edit := sub(fmt.Sprint(i, url), fmt.Sprint(i+1, url))
			rows = append(rows, shown.Row{Rule: w.joins(edit, own, same, fmt.Sprintf(url, i), fmt.Sprintf(url, i+1), "/x", "/y/z", fmt.Sprintf(url, i+2), fmt.Sprintf(url, i+3))})
		}
		return rows
	}
	for _, c := range []struct {
		name, url string
		own       float64
		rows      int
		want      string
	}{
		{"a parameter", "/p?a=1&v=%d", 1, 4, "[v 3]"},
		{"behind a semicolon", "/p?v=%d;a=1", 1, 4, "[v 3]"},
		{"a segment", "/p/%d/a", 1, 3, "[/2 2]"},
		{"a piece without a name", "/p?%d", 1, 3, "[?0 2]"},
		{"two rows", "/p?v=%d", 1, 2, "[ 0 0]"},
		{"evidence of their own", "/p?v=%d", 3, 4, "[ 0 0 0 0]"},
		{"two values change", "/p?v=%[1]d&w=%[1]d", 1, 3, "[ 0 0 0]"},
		{"names change", "/p?v%d=1", 1, 3, "[ 0 0 0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			rows := w.Values(values(w, c.own, c.url, c.rows))
			got := "[" + rows[0].Of
			for _, r := range rows {
				got += fmt.Sprint(" ", r.Values)
			}
			if got += "]"; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A row stands last if fewer than half of its pairs may be requested. A stand-in is requested for a secret.
func TestLast(t *testing.T) {
	const token = "?token=9f3c2b7d81e04a6f9f3c2b7d81e04a6f"
	for _, c := range []struct {
		name  string
		urls  []string
		known bool // visitors are told apart
		want  shown.Unasked
	}{
		{"asked", []string{"/many?a=1", "/many"}, true, ""},
		{"few visitors", []string{"/few?a=1", "/many"}, true, shown.FewVisitors},
		{"nobody known", []string{"/few?a=1", "/few"}, false, ""},
		{"an action", []string{"/many?delete=1", "/many"}, false, shown.Action},
		{"a secret with a stand-in", []string{"/few" + token, "/many"}, true, ""},
		{"a secret that leads to few", []string{"/few" + token, "/few"}, true, shown.FewVisitors},
		{"half", []string{"/few?a=1", "/many", "/many?a=1", "/many"}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			if c.known {
				w.Asked = func(url string) bool { return strings.HasPrefix(url, "/many") }
			}
			first := shown.Row{Rule: w.joins(sub("first", ""), 9, same, c.urls...)}
			rows := w.Last([]shown.Row{first, {Rule: w.joins(sub("second", ""), 9, same, "/many?b", "/many")}})
			at := slices.IndexFunc(rows, func(r shown.Row) bool { return r.Rule.Rule == first.Rule.Rule })
			if rows[at].Unasked != c.want || (at == 1) != (c.want != "") || rows[1-at].Unasked != "" {
				t.Errorf("row %d of 2, %q; want %q", at+1, rows[at].Unasked, c.want)
			}
		})
	}
}

// Of rules that join the same pairs, a form of syntax stands, then a parameter. A form that joins less is folded.
func TestFoldPrefers(t *testing.T) {
	form, drop := rule.Syntax{Form: rule.Slashes}, rule.Drop{Param: "x"}
	all, less := [][2]uint32{{0, 1}, {2, 3}, {4, 5}}, [][2]uint32{{0, 1}}
	for _, c := range []struct {
		name  string
		edits []rule.Edit
		pairs [][][2]uint32
		want  string
	}{
		{"a form over a text", []rule.Edit{sub("/", ""), form}, [][][2]uint32{all, all}, "form"},
		{"a parameter over a text", []rule.Edit{sub("x=1", ""), drop}, [][][2]uint32{all, all}, "drop"},
		{"a form that joins less", []rule.Edit{sub("/", ""), form}, [][][2]uint32{all, less}, "substring"},
		{"a text below a form", []rule.Edit{form, sub("/", "")}, [][][2]uint32{all, all}, "form"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rules []rule.Likely
			pairs := map[rule.Rule][][2]uint32{}
			for i, e := range c.edits {
				r := rule.Rule{Edit: e}
				rules, pairs[r] = append(rules, rule.Likely{Rule: r}), c.pairs[i]
			}
			rows := shown.Fold(rules, func(r *rule.Rule) [][2]uint32 { return pairs[*r] })
			if got := rows[0].Rule.Rule.Kind().String(); len(rows) != 1 || len(rows[0].Joined) != 1 || got != c.want {
				t.Errorf("%d rows, the first a %s; want a %s", len(rows), got, c.want)
			}
		})
	}
}
