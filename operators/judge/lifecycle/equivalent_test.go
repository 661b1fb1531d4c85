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

// An edit written with more of the text around it is refuted with the rule. An edit that moves
// the same forms to the same texts, but whose other direction moves other forms, is not.
func TestEquivalentEdits(t *testing.T) {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	for i := range 20 {
		for _, language := range []string{"pt", "ru"} {
			w.add(fmt.Sprintf("/m/%s/%d", language, i), fmt.Sprint(language, i), int64(1000+37*i))
		}
		w.add(fmt.Sprintf("/x/pt/%d", i), fmt.Sprint("x", i), int64(90_000+37*i)) // /pt/ -> /ru/ moves these, /m/pt/ -> /m/ru/ does not
	}
	replace := func(from, to string) rule.Rule { return rule.Rule{From: from, To: to} }
	m := w.machine(townOptions())
	m.planner.derive(1)
	refuted := candidate{rule: replace("m/ru/", "m/pt/")}
	var open []candidate
	for _, r := range []rule.Rule{replace("/m/ru/", "/m/pt/"), replace("/ru/", "/pt/"), replace("m/ru/", "m/ru/pt/"), replace("m/ru/1", "m/pt/1")} {
		open = append(open, candidate{id: rule.ID("town", &r), rule: r})
	}
	if got := m.planner.view.equivalent(&refuted, open); !slices.Equal(got, []string{open[0].id}) {
		t.Errorf("%d rules are refuted with the rule", len(got))
	}
}

// Of a substring rule and a drop of the same moves the drop is tried. A drop of other moves, and
// a substring rule of the same moves, take no rule's place.
func TestGeneralRule(t *testing.T) {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	for i := range 20 {
		for _, query := range []string{"", "?sid=7", "?old=1", "?old=2"} {
			w.add(fmt.Sprintf("/p%d%s", i, query), fmt.Sprint(i), int64(1000+37*i))
		}
	}
	m := w.machine(townOptions())
	m.planner.derive(1)
	of := func(r rule.Rule) candidate { return candidate{id: rule.ID("town", &r), rule: r} }
	replace := func(from string) candidate { return of(rule.Rule{From: from, To: "", AtEnd: true}) }
	drop := func(name string) candidate { return of(rule.Rule{Kind: rule.Drop, Param: name}) }
	open := []candidate{replace("?sid=7"), drop("old"), drop("sid"), replace("?old=1")}
	for _, c := range []struct{ best, want candidate }{
		{replace("?sid=7"), drop("sid")}, {replace("?old=1"), replace("?old=1")}, {drop("sid"), drop("sid")},
	} {
		if got := m.planner.view.general(c.best, open); got.id != c.want.id {
			t.Errorf("in place of %s: %s, want %s", c.best.rule.Words(), got.rule.Words(), c.want.rule.Words())
		}
	}
}
