package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// These tests cover the search for faults and the choice of the guilty rule.

// If several URLs of different sizes become one unknown URL, the unknown URL cannot equal
// all of them. Such pairs are a stratum of their own.
func TestTorn(t *testing.T) {
	page := func(u string, size int64) evidence.Page {
		return evidence.Page{URL: u, Evidence: evidence.Spans{{Min: size, Max: size}}}
	}
	m := New("", townOptions())
	m.Load(NewWindow([]evidence.Page{
		page("/p?f=a&h=1", 1000), page("/p?f=a&h=2", 5000), // two versions of one file
		page("/p?f=b&h=3", 2000), page("/p?f=b&h=4", 2000), // two names of one
		page("/p?f=c&h=5", 3000), // alone
		page("/p?f=d&h=6", 4000), page("/p?f=d", 4000),
		page("/p?f=e&h=7", 4000), page("/p?f=e", 9000),
		page("/p?f=g&h=8", 6000), {URL: "/p?f=g&h=9"}, // the size of one URL is unknown
	}), nil)
	m.planner.derive(1)
	r := rule.Rule{Kind: rule.Drop, Param: "h"}
	a := newAttempt(m.planner.judge(1), candidate{rule: r}, m.planner.view.forms, m.planner.view.moves(&candidate{rule: r}), 0, m.planner.trials.awaited)
	for h, want := range map[int]string{
		trial.Torn: "/p?f=a&h=1 /p?f=a&h=2", trial.Unknown: "/p?f=b&h=3 /p?f=b&h=4 /p?f=c&h=5 /p?f=g&h=8 /p?f=g&h=9",
		trial.Near: "/p?f=d&h=6", trial.Apart: "/p?f=e&h=7",
	} {
		var got []string
		for _, p := range a.pairs[h] {
			got = append(got, p.u)
		}
		if slices.Sort(got); strings.Join(got, " ") != want || a.tally.Strata[h].Pairs != len(got) {
			t.Errorf("stratum %d has %q, want %q", h, got, want)
		}
	}

	m.Restore(Act{Rule: &Entry{ID: "x", Rule: r, State: rule.Valid, Rank: 1}})
	m.planner.derive(1)
	var got []string
	for _, p := range newSetTrial(m.planner.view, m.planner.publisher.outgoing(m.planner.view).list).kinds[unlike] {
		got = append(got, p.u)
	}
	if slices.Sort(got); strings.Join(got, " ") != "/p?f=a&h=1 /p?f=a&h=2 /p?f=e&h=7" {
		t.Errorf("the sample takes %q for unlike", got)
	}
}

// Half of a sample are URLs changed by several rules, and a quarter are URLs with
// contradicting sizes, as long as there are such URLs.
func TestSampleProportion(t *testing.T) {
	s := &setTrial{}
	for kind, n := range [kinds]int{byOne: 100, bySeveral: 100, unlike: 100} {
		s.kinds[kind] = make([]tryPair, n)
	}
	for range 40 {
		s.draw()
	}
	if s.drawn != [kinds]int{byOne: 10, bySeveral: 20, unlike: 10} {
		t.Errorf("of 40 draws %v", s.drawn)
	}
	for _, p := s.draw(); p != nil; _, p = s.draw() {
	}
	if s.drawn != [kinds]int{100, 100, 100} {
		t.Errorf("of all %v", s.drawn)
	}
}

// If L is wrong about a URL, the result of a rule on the URL proves nothing about the rule.
// L's own step is tried, and the rule of L's step is given an exception.
func TestTrace(t *testing.T) {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	for i := range 14 { // so few that a verdict takes all pairs
		text := fmt.Sprint("page ", i)
		if i == 7 {
			text = "another page"
		}
		w.add(fmt.Sprintf("/b/p%d?sid=%d", i, i), text, 1000+37*int64(i))
		w.add(fmt.Sprintf("/a/p%d", i), fmt.Sprint("page ", i), 1000+37*int64(i))
		w.text[fmt.Sprintf("/b/p%d", i)] = fmt.Sprint("page ", i) // without its sid, /b/p7 is another page
	}
	drop := rule.Rule{Kind: rule.Drop, Param: "sid"}
	m := w.machine(townOptions())
	m.Restore(Act{Rule: &Entry{ID: "x", Rule: drop, State: rule.Valid, Rank: 1, Verdict: rule.Verdict{Samples: 30}}})
	m.planner.derive(1)
	c := candidate{id: "y", rule: rule.Rule{From: "/b/", To: "/a/", AtStart: true}}
	try := func() {
		m.planner.trials.rule = newAttempt(m.planner.judge(1), c, m.planner.view.forms, m.planner.view.moves(&c), 0, m.planner.trials.awaited)
	}
	try()
	for m.planner.trials.rule != nil { // until the trial ends or the list changes
		test, s := m.planner.try(1)
		if s != gave {
			break
		}
		m.Outcome(test, w.see(m, test), 1, 1)
		if m.planner.trials.rule == nil {
			try()
		}
	}
	if e := m.book.entries["x"]; len(e.Sent) != 1 || e.Sent[0].U != "/b/p7?sid=7" || e.State != rule.Valid || !e.Rule.Excepts([]byte("/b/p7?sid=7")) {
		t.Fatalf("not excepted: %+v", e)
	}
	m.Restore(Act{Rule: &Entry{ID: "x", Rule: drop, State: rule.Valid, Rank: 1, Sent: m.book.entries["x"].Sent}})
	m.planner.derive(1)
	a := newAttempt(m.planner.judge(1), c, m.planner.view.forms, m.planner.view.moves(&c), 0, m.planner.trials.awaited)
	if sum := a.tally.Sum(); sum.Negatives != 0 || sum.Skipped != 1 {
		t.Errorf("the fault of L counts against another: %+v", sum)
	}
}

// The sample knows which URLs are changed by several rules. Half of the sample is drawn
// from those URLs.
func TestSampleKinds(t *testing.T) {
	m := New("", townOptions())
	for i, r := range []rule.Rule{{From: "c", To: "b"}, {From: "b", To: "a"}} {
		m.Restore(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1}})
	}
	m.Load(NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}, {URL: "/c"}}), nil)
	m.planner.derive(1)
	s := newSetTrial(m.planner.view, m.planner.publisher.outgoing(m.planner.view).list)
	if one, several := s.kinds[byOne], s.kinds[bySeveral]; len(one) != 1 || one[0].u != "/b" || len(several) != 1 || several[0].u != "/c" || len(s.kinds[unlike]) != 0 {
		t.Errorf("%+v", s.kinds)
	}
}
