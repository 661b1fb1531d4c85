package lifecycle_test

import (
	"reflect"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The history tells how each publication became the next: from nothing, the changes lead to
// the last list.
func TestHistory(t *testing.T) {
	w := newTown(60)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	id := m.Published().Records[0].ID
	must(t, m.Operator.Wish(book.Wish{Veto: id}))
	w.live(m, now, ignore)
	history := m.Answers.Detail(lifecycle.Query{}, now).History
	list := map[string]bool{}
	for _, c := range slices.Backward(history) {
		if c.Came == list[c.ID] || c.ID != rule.ID("town", &c.Rule) {
			t.Errorf("%+v of a list with %v", c, list)
		}
		if list[c.ID] = c.Came; !c.Came {
			delete(list, c.ID)
		}
		if len(c.Verdict.Examples) > book.ExamplesOfChange || c.At == 0 || c.Sequence == 0 {
			t.Errorf("%+v", c)
		}
		if c.ID == id && !c.Came && c.Verdict.Reason != book.ByVeto {
			t.Errorf("the vetoed rule left by %+v", c.Verdict)
		}
	}
	if list[id] || len(list) == 0 || len(list) != len(m.Published().Records) {
		t.Errorf("%d rules by history, %d published", len(list), len(m.Published().Records))
	}
	for _, r := range m.Published().Records {
		if !list[r.ID] {
			t.Errorf("%s did not come", r.ID)
		}
	}
	for _, c := range []struct {
		name string
		acts []book.Act
	}{{"acts", m.Acts()}, {"dump", slices.Collect(m.Dump)}} {
		n := New("town", madeup.Options())
		for _, a := range c.acts {
			n.Restore(recode(t, a))
		}
		if got := n.Answers.Detail(lifecycle.Query{}, now).History; !reflect.DeepEqual(got, history) {
			t.Errorf("restored from %s: %d changes, want %d\n%+v\n%+v", c.name, len(got), len(history), got, history)
		}
	}
}

// At any moment of a trial, the course ends at the bound that the status shows, and counts the
// outcomes that this counts.
func TestCourse(t *testing.T) {
	w := newTown(100)
	m, now, seen := w.machine(madeup.Options()), int64(1), 0
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		s, c := m.Answers.Status(), m.Answers.Detail(lifecycle.Query{}, now).Course
		if s.Trial != nil && s.Trial.Rule != nil {
			if c == nil || c.ID != s.Trial.ID {
				t.Fatalf("%+v on trial, course of %+v", s.Trial, c)
			}
			counts := map[trial.Outcome]int{}
			for _, p := range c.Tried {
				if counts[p.Outcome]++; p.Outcome == trial.Positive && (!p.Compared || p.Alike < c.Threshold) && p.U != p.V {
					t.Errorf("%+v is positive at τ %f", p, c.Threshold)
				}
			}
			if got := [3]int{counts[trial.Positive], counts[trial.Negative] + counts[trial.Returned], counts[trial.Skip]}; got != [3]int{s.Trial.Positives, s.Trial.Negatives, s.Trial.Skipped} {
				t.Errorf("%v outcomes, the status has %+v", got, s.Trial)
			}
			if n := len(c.Tried); n > 0 && s.Trial.Bound != c.Tried[n-1].Bound {
				t.Errorf("bound %f after %d pairs, want %f", c.Tried[n-1].Bound, n, s.Trial.Bound)
			} else if n > 0 {
				seen++
			}
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	if seen < 20 {
		t.Errorf("only %d courses were seen", seen)
	}
}

// A page of tried rules is a part of all tried rules, newest first.
func TestTriedBy(t *testing.T) {
	w := newTown(60)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	all := m.Answers.Detail(lifecycle.Query{Most: 1 << 20}, now)
	if len(all.Tried) != len(saved(m)) || all.Counted != len(all.Tried) || len(all.Tried) < 4 {
		t.Fatalf("%d of %d", len(all.Tried), len(saved(m)))
	}
	if !slices.IsSortedFunc(all.Tried, func(a, b book.Entry) int { return int(b.Verdict.Time - a.Verdict.Time) }) {
		t.Error("not newest first")
	}
	part := m.Answers.Detail(lifecycle.Query{Skip: 1, Most: 2}, now)
	if part.Counted != all.Counted || !reflect.DeepEqual(part.Tried, all.Tried[1:3]) {
		t.Errorf("%+v", part)
	}
	for _, state := range []rule.State{rule.Valid, rule.Refuted} {
		d := m.Answers.Detail(lifecycle.Query{State: state, Most: 1 << 20}, now)
		if d.Counted != m.Answers.Status().States[state] || d.Counted == 0 || slices.ContainsFunc(d.Tried, func(e book.Entry) bool { return e.State != state }) {
			t.Errorf("%d %s rules", d.Counted, state)
		}
	}
}

// The trial of a likely rule is told for the rule as it is listed: with the verdict, or with the
// valid verdict on its other direction.
func TestDetailOfLikely(t *testing.T) {
	w := newTown(60)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	entries := saved(m)
	states := map[rule.State]int{}
	for _, e := range entries {
		asked := []rule.Rule{e.Rule, {Edit: rule.Substring{From: e.Rule.Sides().To, To: e.Rule.Sides().From, AtStart: e.Rule.Sides().AtStart, AtEnd: e.Rule.Sides().AtEnd}}, {Edit: rule.Drop{Param: "unheard"}}}
		asked[0].Except = rule.Except{}
		told := m.Answers.Detail(lifecycle.Query{Likely: asked}, now).Likely
		if len(told) != 3 || told[2].Trial != nil || told[0].Trial == nil || told[0].Trial.Followers != nil {
			t.Fatalf("%s: %+v", e.Rule.Words(), told)
		}
		if told[0].Trial.State != e.State && told[0].Trial.State != rule.Valid || !reflect.DeepEqual(told[0].Trial.Verdict.Examples, e.Verdict.Examples) && told[0].Trial.ID == e.ID {
			t.Errorf("%s is %s, told %s with %+v", e.Rule.Words(), e.State, told[0].Trial.State, told[0].Trial.Verdict)
		}
		if e.Rule.Kind() == rule.KindSubstring && e.State == rule.Valid && (told[1].Trial == nil || told[1].Trial.ID != e.ID) {
			t.Errorf("%s is valid, told of its other direction: %+v", e.Rule.Words(), told[1])
		}
		states[told[0].Trial.State]++
	}
	if states[rule.Valid] == 0 || states[rule.Refuted] == 0 {
		t.Errorf("states told: %v", states)
	}
}
