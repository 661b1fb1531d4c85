package lifecycle

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Of equivalent followers the first is kept. Rules that change nothing yet stay.
func TestDistinct(t *testing.T) {
	w := newTown(20)
	m := w.machine(madeup.Options())
	m.derive(1)
	scoped := func(prefix string) rule.Rule {
		return rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Prefix: prefix}}
	}
	refuted := book.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "sort"}}}
	got := m.view.Distinct(&refuted, []rule.Rule{
		{Edit: rule.Drop{Param: "sort"}, Scope: rule.Scope{Prefix: "/list"}}, scoped("/list"), scoped("/list/"), scoped("/list/1"), scoped("/new/"), scoped("/newer/")})
	if want := []rule.Rule{scoped("/list"), scoped("/list/1"), scoped("/new/"), scoped("/newer/")}; !slices.Equal(got, want) {
		t.Errorf("%s", madeup.Words(got))
	}
}

// Of a substring rule and a drop of the same moves the drop is tried. A drop of other moves, and
// a substring rule of the same moves, take no rule's place.
func TestGeneralRule(t *testing.T) {
	w := noTown()
	for i := range 20 {
		for _, query := range []string{"", "?sid=7", "?old=1", "?old=2"} {
			w.Add(fmt.Sprintf("/p%d%s", i, query), fmt.Sprint(i), int64(1000+37*i))
		}
	}
	m := w.machine(madeup.Options())
	m.derive(1)
	of := func(r rule.Rule) book.Candidate { return book.Candidate{ID: rule.ID("town", &r), Rule: r} }
	replace := func(from string) book.Candidate {
		return of(rule.Rule{Edit: rule.Substring{From: from, To: "", AtEnd: true}})
	}
	drop := func(name string) book.Candidate { return of(rule.Rule{Edit: rule.Drop{Param: name}}) }
	open := []book.Candidate{replace("?sid=7"), drop("old"), drop("sid"), replace("?old=1")}
	for _, c := range []struct{ best, want book.Candidate }{
		{replace("?sid=7"), drop("sid")}, {replace("?old=1"), replace("?old=1")}, {drop("sid"), drop("sid")},
	} {
		if got := m.view.General(c.best, open); got.ID != c.want.ID {
			t.Errorf("in place of %s: %s, want %s", c.best.Rule.Words(), got.Rule.Words(), c.want.Rule.Words())
		}
	}
}
