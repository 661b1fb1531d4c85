package lifecycle

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

// Scopes that have the same pairs in the window are refuted once: of the followers of a
// refuted rule one is kept, and given candidates are refuted with the rule.
func TestEquivalentScopes(t *testing.T) {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	for i := range 30 {
		for d := range 3 {
			w.add(withD(fmt.Sprintf("/x/list?a=%d", i), d), fmt.Sprint("page ", i, " of ", d), int64(1000+37*i))
		}
	}
	drop := func(s rule.Scope) rule.Candidate {
		return rule.Candidate{Rule: rule.Rule{Kind: rule.Drop, Param: "d", Scope: s}, Support: 60}
	}
	candidates := []rule.Candidate{drop(rule.Scope{}), drop(rule.Scope{Path: "/x/list", HasPath: true}), drop(rule.Scope{Prefix: "/x/"}), drop(rule.Scope{Where: rule.With("a")}), drop(rule.Scope{Where: rule.Where("a", "7")})}
	o := townOptions()
	o.GivenOnly, o.MinGain = true, 2
	m := New("town", o)
	m.Load(NewWindow(slices.Clone(w.pages)), candidates)
	var first []Entry
	w.liveWith(m, func() {
		m.takes(func(e *Entry) {
			if e.Rule.Kind == rule.Drop {
				first = append(first, *e)
			}
		})
	})
	if len(first) != 1 || first[0].State != rule.Refuted || len(first[0].Same) != 3 {
		t.Fatalf("%d verdicts: %+v", len(first), first)
	}
	for i, c := range candidates[1:] {
		id := rule.ID("town", &c.Rule)
		if same := slices.Contains(first[0].Same, id); same != (i < 3) || m.book.isRefutedElsewhere(id, 100) != same {
			t.Errorf("%s: refuted with the rule: %v", c.Rule.Words(), same)
		}
		if m.book.isRefutedElsewhere(id, first[0].Verdict.Time+o.RetryRefuted) {
			t.Errorf("%s is refuted for good", c.Rule.Words())
		}
	}
	again := New("town", o)
	m.Dump(func(a Act) bool { again.Restore(a); return true })
	if !again.book.isRefutedElsewhere(first[0].Same[0], 100) {
		t.Error("the equivalent rules are not restored")
	}
}

// Of equivalent followers the first is kept. Rules that change nothing yet stay.
func TestDistinct(t *testing.T) {
	w := newTown(20)
	m := w.machine(townOptions())
	m.planner.derive(1)
	scoped := func(prefix string) rule.Rule {
		return rule.Rule{Kind: rule.Drop, Param: "sid", Scope: rule.Scope{Prefix: prefix}}
	}
	refuted := candidate{rule: rule.Rule{Kind: rule.Drop, Param: "sort"}}
	got := m.planner.view.distinct(&refuted, []rule.Rule{
		{Kind: rule.Drop, Param: "sort", Scope: rule.Scope{Prefix: "/list"}}, scoped("/list"), scoped("/list/"), scoped("/list/1"), scoped("/new/"), scoped("/newer/")})
	if want := []rule.Rule{scoped("/list"), scoped("/list/1"), scoped("/new/"), scoped("/newer/")}; !slices.Equal(got, want) {
		t.Errorf("%s", words(got))
	}
}
