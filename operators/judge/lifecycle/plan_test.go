package lifecycle

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
)

// At any time of a machine's life, the first planned trial is the next trial. Planning
// leaves no trace.
func TestPlanIsTried(t *testing.T) {
	t.Parallel()
	const first = 3
	w := newTown(40)
	o := madeup.Options()
	o.RecheckEvery = book.Day
	plain, planning := w.machine(o), w.machine(o)
	now, purposes := int64(1), map[Purpose]int{}
	for range 2000 {
		plan := planning.Plan(first, now)
		test, ok := planning.Next(now)
		if want, also := plain.Next(now); ok != also || test != want {
			t.Fatalf("after plans for %v %+v is tried, want %+v", purposes, test, want)
		}
		if !ok {
			if now += book.Hour; now > 4*book.Day {
				break
			}
			continue
		}
		purposes[test.Purpose]++
		vouches := test.Second || test.Purpose == Control // looks that follow from outcomes are not planned
		if !vouches && !slices.ContainsFunc(plan[:min(1, len(plan))], func(p Planned) bool {
			return p.ID == test.Rule && p.Purpose == test.Purpose && len(p.First) > 0 && p.First[0].U == test.U && p.First[0].V == test.V
		}) {
			t.Fatalf("planned %+v; tried %+v", plan[:min(1, len(plan))], test)
		}
		for _, m := range []*Machine{plain, planning} {
			m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		}
		now++
	}
	for _, purpose := range []Purpose{Trial, SetTrial, Recheck, SetRecheck} {
		if purposes[purpose] < 10 {
			t.Errorf("planned for %v", purposes)
		}
	}
}

// All candidates that can be tried are planned once each, in the order of their worth.
func TestPlanOfAll(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	plan := m.Plan(5, 1)
	seen := map[string]bool{}
	for i, p := range plan {
		if seen[p.ID] || p.Rule == nil || p.Gain < m.book.Options.MinGain || p.Pairs < m.book.Options.Trial.Minimum || len(p.First) != 5 || p.Outcomes <= 0 {
			t.Errorf("%d: %+v", i, p)
		}
		seen[p.ID] = true
		for _, test := range p.First {
			if test.U == test.V {
				t.Errorf("pair %+v", test)
			}
		}
	}
	for _, c := range chooserOf(m.life, 1).openCandidates() {
		if m.view.Gain(&c) >= m.book.Options.MinGain && !seen[c.ID] {
			t.Errorf("%+v is not planned", c.Rule)
		}
	}
	if len(plan) < 5 {
		t.Errorf("%d rules are planned", len(plan))
	}
	if plan := New("", madeup.Options()).Plan(5, 1); plan != nil {
		t.Errorf("without a window: %+v", plan)
	}
}
