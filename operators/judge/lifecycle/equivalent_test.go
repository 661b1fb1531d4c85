package lifecycle

import (
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
