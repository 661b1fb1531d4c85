package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
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
	m := New("", madeup.Options())
	m.Load(forms.NewWindow([]evidence.Page{
		page("/p?f=a&h=1", 1000), page("/p?f=a&h=2", 5000), // two versions of one file
		page("/p?f=b&h=3", 2000), page("/p?f=b&h=4", 2000), // two names of one
		page("/p?f=c&h=5", 3000), // alone
		page("/p?f=d&h=6", 4000), page("/p?f=d", 4000),
		page("/p?f=e&h=7", 4000), page("/p?f=e", 9000),
		page("/p?f=g&h=8", 6000), {URL: "/p?f=g&h=9"}, // the size of one URL is unknown
	}), nil)
	m.derive(1)
	r := rule.Rule{Edit: rule.Drop{Param: "h"}}
	a := trials.New(m.judge(1), book.Candidate{Rule: r}, m.view.Forms, m.view.Moves(&book.Candidate{Rule: r}), 0, m.ongoing.awaited)
	for _, c := range []struct {
		given int
		want  string
	}{
		{trial.Torn, "/p?f=a&h=1 /p?f=a&h=2"}, {trial.Unknown, "/p?f=b&h=3 /p?f=b&h=4 /p?f=c&h=5 /p?f=g&h=8 /p?f=g&h=9"},
		{trial.Near, "/p?f=d&h=6"}, {trial.Apart, "/p?f=e&h=7"},
	} {
		var got []string
		for _, p := range a.Pairs[c.given] {
			got = append(got, p.U)
		}
		if slices.Sort(got); strings.Join(got, " ") != c.want || a.Tally.Strata[c.given].Pairs != len(got) {
			t.Errorf("stratum %d has %q, want %q", c.given, got, c.want)
		}
	}

	m.Restore(book.Act{Rule: &book.Entry{ID: "x", Rule: r, State: rule.Valid, Rank: 1}})
	m.derive(1)
	var got []string
	for _, p := range trials.NewSet(m.view, m.publisher.outgoing(m.view).list).Kinds[trials.Unlike] {
		got = append(got, p.U)
	}
	if slices.Sort(got); strings.Join(got, " ") != "/p?f=a&h=1 /p?f=a&h=2 /p?f=e&h=7" {
		t.Errorf("the sample takes %q for unlike", got)
	}
}

// If L is wrong about a URL, a rule's result on it proves nothing. L's own step is tried, and its rule
// is given an exception.
func TestTrace(t *testing.T) {
	w := noTown()
	for i := range 14 { // so few that a verdict takes all pairs
		text := fmt.Sprint("page ", i)
		if i == 7 {
			text = "another page"
		}
		w.Add(fmt.Sprintf("/b/p%d?sid=%d", i, i), text, 1000+37*int64(i))
		w.Add(fmt.Sprintf("/a/p%d", i), fmt.Sprint("page ", i), 1000+37*int64(i))
		w.Text[fmt.Sprintf("/b/p%d", i)] = fmt.Sprint("page ", i) // without its sid, /b/p7 is another page
	}
	drop := rule.Rule{Edit: rule.Drop{Param: "sid"}}
	m := w.machine(madeup.Options())
	m.Restore(book.Act{Rule: &book.Entry{ID: "x", Rule: drop, State: rule.Valid, Rank: 1, Verdict: rule.Verdict{Samples: 30}}})
	m.derive(1)
	c := book.Candidate{ID: "y", Rule: rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}}
	try := func() {
		m.ongoing.rule = trials.New(m.judge(1), c, m.view.Forms, m.view.Moves(&c), 0, m.ongoing.awaited)
		m.ongoing.rule.IsNew = true
		m.ongoing.rule.Accepted = 99 // the trial gives way to no other
	}
	try()
	for m.ongoing.rule != nil { // until the trial ends or the list changes
		test, s := m.trier.next(1)
		if s != gave {
			break
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, 1)
		if m.ongoing.rule == nil {
			try()
		}
	}
	if e := m.book.Entries["x"]; len(e.Sent) != 1 || e.Sent[0].U != "/b/p7?sid=7" || e.State != rule.Valid || !e.Rule.Excepts([]byte("/b/p7?sid=7")) {
		t.Fatalf("not excepted: %+v", e)
	}
	m.Restore(book.Act{Rule: &book.Entry{ID: "x", Rule: drop, State: rule.Valid, Rank: 1, Sent: m.book.Entries["x"].Sent}})
	m.derive(1)
	a := trials.New(m.judge(1), c, m.view.Forms, m.view.Moves(&c), 0, m.ongoing.awaited)
	if sum := a.Tally.Sum(); sum.Negatives != 0 || sum.Skipped != 1 {
		t.Errorf("the fault of L counts against another: %+v", sum)
	}
}

// The sample knows which URLs are changed by several rules. Half of the sample is drawn
// from those URLs.
func TestSampleKinds(t *testing.T) {
	m := New("", madeup.Options())
	for i, r := range []rule.Rule{{Edit: rule.Substring{From: "c", To: "b"}}, {Edit: rule.Substring{From: "b", To: "a"}}} {
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1}})
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}, {URL: "/c"}}), nil)
	m.derive(1)
	s := trials.NewSet(m.view, m.publisher.outgoing(m.view).list)
	if one, several := s.Kinds[trials.ByOne], s.Kinds[trials.BySeveral]; len(one) != 1 || one[0].U != "/b" || len(several) != 1 || several[0].U != "/c" || len(s.Kinds[trials.Unlike]) != 0 {
		t.Errorf("%+v", s.Kinds)
	}
}
