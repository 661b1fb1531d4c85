package lifecycle

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/drops"
	"dustbuster/operators/rule"
)

func under(path string) rule.Rule {
	return rule.Rule{Edit: rule.Drop{Param: "s"}, Scope: rule.Scope{Path: path, HasPath: true}}
}

// A drop that is refuted on the whole site is found where it holds, after all else, since two pairs that differ do not
// set a small folder apart.
func TestLateFollower(t *testing.T) {
	wide, late := rule.Rule{Edit: rule.Drop{Param: "s"}}, under("/y/*/list")
	for _, c := range []struct {
		name string
		odd  bool // the sizes of two pages of /y/ differ, so they tell no folder
		late []rule.Rule
	}{
		{"sizes of a folder are alike", false, []rule.Rule{{Edit: wide.Edit, Scope: rule.Scope{Prefix: "/y"}}, under("/x/*/list"), late}},
		{"they differ", true, []rule.Rule{under("/x/*/list"), late}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &town{madeup.SessionTown()}
			if c.odd {
				for _, q := range []string{"/y/q14/list", "/y/q15/list"} {
					w.Add(q, q, 120_000)
					w.Add(q+"?s=1", q+"b", 150_000)
				}
			}
			m := w.machine(madeup.DropsOptions())
			w.live(m, 1, func(Look) {})
			if e := m.book.Entries[rule.ID("town", &wide)]; e == nil || e.State != rule.Refuted || !slices.Equal(e.Late, c.late) {
				t.Fatalf("the wide drop: %+v", e)
			}
			rules := forms.RulesOf(m.book.Valid())
			c := forms.Compile(rules)
			for u, text := range w.Text {
				form, _ := c.Canon(nil, []byte(u))
				if w.Text[string(form)] != text {
					t.Errorf("%s becomes %s by %s", u, form, madeup.Words(rules))
				}
			}
			one, _ := c.Canon(nil, []byte("/y/q3/list"))
			two, _ := c.Canon(nil, []byte("/y/q3/list?s=1"))
			if string(one) != string(two) {
				t.Errorf("%s and %s stay by %s", one, two, madeup.Words(rules))
			}
		})
	}
}

// Late are the rules with enough gain, of the drops that the learner drops lists.
func TestLateFollowers(t *testing.T) {
	w := &town{madeup.SessionTown()}
	for i := range 4 {
		w.AddSessions(fmt.Sprintf("/z/q%d/list", i), int64(200_000+9970*i), false)
	}
	none := func(*rule.Rule) bool { return false }
	wide := rule.Rule{Edit: rule.Drop{Param: "s"}}
	for _, c := range []struct {
		what    string
		r       rule.Rule
		window  []string
		refuted func(*rule.Rule) bool
		want    []rule.Rule
	}{
		{"all likely", wide, []string{drops.Name}, none, []rule.Rule{under("/x/*/list"), under("/y/*/list")}},
		{"no learner", wide, nil, none, nil},
		{"a narrowed rule", rule.Rule{Edit: rule.Drop{Param: "s"}, Scope: rule.Scope{Prefix: "/"}}, []string{drops.Name}, none, nil},
		{"a wide scope that stands", under("/y/*/list"), []string{drops.Name}, none, nil},
		{"one page", under("/y/*/list"), []string{drops.Name}, func(r *rule.Rule) bool { return *r == wide }, nil},
		{"set", rule.Rule{Edit: rule.Set{Param: "s", Value: "1"}}, []string{drops.Name}, none, nil},
	} {
		o := madeup.Options()
		o.Miner.Window = c.window
		m := w.machine(o)
		m.derive(1)
		if got := m.view.LateFollowers(&c.r, c.refuted); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

// A rule that is a candidate otherwise is not late.
func TestLateIsCandidate(t *testing.T) {
	w := &town{madeup.SessionTown()}
	wide, narrow := rule.Rule{Edit: rule.Drop{Param: "s"}}, under("/y/*/list")
	m := New("town", madeup.DropsOptions())
	m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("town", &wide), Rule: wide, State: rule.Refuted, Support: 9, Late: []rule.Rule{narrow}}})
	for _, given := range []bool{false, true} {
		candidates := []rule.Candidate{{Rule: wide, Support: 9}}
		if given {
			candidates = append(candidates, rule.Candidate{Rule: narrow, Support: 9})
		}
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), candidates)
		m.derive(1)
		open := chooserOf(m.life, 1).openCandidates()
		if i := slices.IndexFunc(open, func(c book.Candidate) bool { return c.Rule == narrow }); i < 0 || open[i].Late == given {
			t.Errorf("given %v: %+v", given, open)
		}
	}
}

// No candidate of any kind is tried under which some form of the window does not settle.
func TestUnsettledIsNotTried(t *testing.T) {
	odd := rule.Scope{Prefix: "/odd"}
	for _, c := range []struct {
		list, tried rule.Rule // each makes work for the other at /odd, without end
		odd         string
		pages       [2]string
	}{
		{rule.Rule{Edit: rule.Substring{From: "y", To: "x/x"}, Scope: odd}, rule.Rule{Edit: rule.Substring{From: "x", To: "y"}}, "/odd/x", [2]string{"/p%d/x", "/p%d/y"}},
		{rule.Rule{Edit: rule.Substring{From: "k", To: "j/k?n=1", AtEnd: true}}, rule.Rule{Edit: rule.Drop{Param: "n"}}, "/odd/k?n=1", [2]string{"/p%d?n=1", "/p%d"}},
		{rule.Rule{Edit: rule.Substring{From: "2", To: "1&k"}, Scope: odd}, rule.Rule{Edit: rule.Set{Param: "n", Value: "2"}}, "/odd?n=1", [2]string{"/p%d?n=1", "/p%d?n=2"}},
		{rule.Rule{Edit: rule.Substring{From: "?a=1&b=1", To: "?b=1&k&a=1"}, Scope: odd}, rule.Rule{Edit: rule.Order{}}, "/odd?b=1&a=1", [2]string{"/p%d?b=1&a=1", "/p%d?a=1&b=1"}},
		{rule.Rule{Edit: rule.Substring{From: "q", To: "Q/k"}, Scope: odd}, rule.Rule{Edit: rule.Syntax{Form: rule.Case}}, "/odd/Q", [2]string{"/P%d", "/p%d"}},
	} {
		w := noTown()
		for i := range 12 {
			for _, form := range c.pages {
				w.Add(fmt.Sprintf(form, i), "x", 1000)
			}
		}
		m := New("town", madeup.Options())
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("town", &c.list), Rule: c.list, State: rule.Valid, Rank: 1}})
		for _, settles := range []bool{true, false} {
			if !settles {
				w.Add(c.odd, "x", 1000)
			}
			m.Load(forms.NewWindow(slices.Clone(w.Pages)), []rule.Candidate{{Rule: c.tried, Support: 12}})
			m.derive(1)
			chooser := chooserOf(m.life, 1)
			got, ok := chooser.choose(slices.DeleteFunc(chooser.openCandidates(), func(n book.Candidate) bool { return n.Rule != c.tried }))
			if len(m.view.List) != 1 || ok != settles || ok && got.Rule != c.tried {
				t.Errorf("%s, settles %v: chosen %v", madeup.Words([]rule.Rule{c.tried}), settles, ok)
			}
		}
	}
}
