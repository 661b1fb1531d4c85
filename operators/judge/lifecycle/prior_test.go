package lifecycle

import (
	"fmt"
	"math"
	"testing"

	"dustbuster/operators/rule"
)

func TestGrounds(t *testing.T) {
	o := Defaults()
	for _, c := range []struct {
		given rule.Candidate
		want  grounds
	}{
		{rule.Candidate{Weight: 9, Alike: 1}, unknown},
		{rule.Candidate{Weighed: true, Weight: 2.9, Alike: 1}, weak},
		{rule.Candidate{Weighed: true, Weight: 3, Alike: 1}, light},
		{rule.Candidate{Weighed: true, Weight: 9.9, Alike: 0.96}, light},
		{rule.Candidate{Weighed: true, Weight: 10, Alike: 0.96}, strong},
		{rule.Candidate{Weighed: true, Weight: 300, Alike: 0.94}, partial},
		{rule.Candidate{Weighed: true, Weight: 3, Alike: 0.8}, partial},
		{rule.Candidate{Weighed: true, Weight: 300, Alike: 0.79}, poor},
	} {
		if got := o.groundsOf(&c.given); got != c.want {
			t.Errorf("%+v: %d, want %d", c.given, got, c.want)
		}
	}
}

// Each verdict counts for its own kind and grounds. Verdicts without samples and on narrowed
// rules do not count.
func TestChances(t *testing.T) {
	b := New("", Defaults()).book
	put := func(kind rule.Kind, g grounds, s rule.State, samples int, prefix string) {
		id := fmt.Sprint(len(b.entries))
		b.entries[id] = &Entry{ID: id, Rule: rule.Rule{Kind: kind, Scope: rule.Scope{Prefix: prefix}}, State: s, Grounds: g, Verdict: rule.Verdict{Samples: samples}}
	}
	for range 3 {
		put(rule.Substring, strong, rule.Valid, 59, "")
		put(rule.Substring, strong, rule.Refuted, 0, "")
		put(rule.Substring, strong, rule.Refuted, 5, "/a/")
		put(rule.Drop, weak, rule.Refuted, 5, "")
	}
	put(rule.Substring, strong, rule.Refuted, 5, "")
	c := b.chances()
	for name, got := range map[string][2]float64{
		"tried":          {c[rule.Substring][strong], (3 + 1) / (4 + 2.0)},
		"other kind":     {c[rule.Drop][strong], 0.5},
		"weak":           {c[rule.Drop][weak], 1 / (3 + 1/0.03)},
		"untried":        {c[rule.Substring][partial], 0.1},
		"without weight": {c[rule.Substring][unknown], 0.1},
	} {
		if math.Abs(got[0]-got[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got[0], got[1])
		}
	}
}

// The other direction of a refuted pair has grounds of its own; another follower has none.
func TestGroundsOfFollowers(t *testing.T) {
	w := newTown(40)
	m := w.machine(townOptions())
	m.planner.derive(1)
	r := rule.Rule{From: "/b/", To: "/a/", AtStart: true}
	other, _ := r.Reverse()
	narrow := r
	narrow.Scope.Prefix = "/b/p"
	n := candidate{id: "1", rule: r, grounds: strong}
	for _, c := range []struct {
		f    rule.Rule
		want grounds
	}{{other, turned}, {narrow, unknown}} {
		if got := m.planner.chooser(1).follower(&n, c.f).grounds; got != c.want {
			t.Errorf("%+v: grounds %d, want %d", c.f, got, c.want)
		}
	}
}

// Of two rules of one gain, the rule with the better grounds is tried first.
func TestGroundsFirst(t *testing.T) {
	w := newTown(40)
	m := w.machine(townOptions())
	m.planner.derive(1)
	r := rule.Rule{From: "/b/", To: "/a/", AtStart: true}
	for _, g := range []grounds{weak, strong} {
		open := []candidate{{id: "1", rule: r, grounds: g}, {id: "2", rule: r, grounds: strong + weak - g, order: 1}}
		want := map[grounds]string{strong: "1", weak: "2"}[g]
		if c, _ := m.planner.chooser(1).choose(open); c.id != want {
			t.Errorf("grounds %d first: chosen %+v", g, c)
		}
	}
}
