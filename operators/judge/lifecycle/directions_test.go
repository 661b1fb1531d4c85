package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// street is a town whose URLs may redirect, and whose pages may name a canonical page.
type street struct {
	town
	redirects map[string]string
	canonical map[string]string
}

func newStreet() *street {
	return &street{*noTown(), map[string]string{}, map[string]string{}}
}

// see returns the result of a look at the street. A URL without a page of its own has that of the URL
// to which it redirects.
func (w *street) see(m *lifecycle.Machine, t lifecycle.Look) trial.Seen {
	at := func(url string) (trial.Document, string) {
		d := w.Fetch(url)
		if to := w.redirects[url]; to != "" {
			d.Redirected, d.Target = true, to
		}
		return d, w.canonical[url]
	}
	u, ofU := at(t.U)
	v, ofV := at(t.V)
	return m.Dialogue.Measure(t, u, v, func() trial.Compared {
		c := madeup.Compared(w.Shown(t.U), w.Shown(t.V))
		switch {
		case ofU == "" || ofU != ofV:
		case ofU == t.V && !v.Redirected:
			c.Leads = 1
		case ofU == t.U && !u.Redirected:
			c.Leads = -1
		}
		return c
	})
}

// run runs a machine to the end and returns the number of looks.
func (w *street) run(m *lifecycle.Machine) (tests int) {
	now := int64(1)
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
		tests++
	}
	return tests
}

// Where both directions of a pair hold, what pages say decides the direction, and runs that draw
// other pairs choose the same direction.
func TestRunsChooseOneDirection(t *testing.T) {
	t.Parallel()
	const stories = 80
	long := func(i int) string { return fmt.Sprintf("/story/%d", i) }
	short := func(i int) string { return fmt.Sprintf("/s?id=%d", i) }
	elsewhere := func(u string) string { return "/moved" + u }
	names := func(to func(int) string) func(*street, int) {
		return func(w *street, i int) { w.canonical[long(i)], w.canonical[short(i)] = to(i), to(i) }
	}
	redirects := func(from func(int) string) func(*street, int) {
		return func(w *street, i int) { w.redirects[from(i)] = elsewhere(from(i)) }
	}
	some := func(share int, then, otherwise func(*street, int)) func(*street, int) {
		return func(w *street, i int) {
			if i*37%100 < share {
				then(w, i)
			} else {
				otherwise(w, i)
			}
		}
	}
	nothing := func(*street, int) {}
	for _, c := range []struct {
		name string
		says func(w *street, i int)
		long bool
	}{
		{"pages say nothing", nothing, false},
		{"all name the longer URL", names(long), true},
		{"nearly all name the longer URL", some(97, names(long), names(short)), true},
		{"a third names the longer URL, the others none", some(33, names(long), nothing), true},
		{"half name the longer URL", some(50, names(long), names(short)), false},
		{"shorter URLs redirect to a third", redirects(short), true},
		{"some shorter URLs redirect to a third", some(40, redirects(short), nothing), true},
		{"nearly all shorter URLs redirect, few longer", some(97, redirects(short), redirects(long)), true},
		{"half of both redirect", some(50, redirects(short), redirects(long)), false},
		{"longer URLs redirect to a third", redirects(long), false},
		{"shorter URLs redirect to the longer", func(w *street, i int) { w.redirects[short(i)] = long(i) }, true},
		{"longer URLs redirect to the shorter", func(w *street, i int) { w.redirects[long(i)] = short(i) }, false},
		{"canonical pages win: shorter", some(50, names(short), redirects(short)), false},
		{"canonical pages win: longer", some(50, names(long), redirects(long)), true},
		{"canonical pages do not decide, redirects do", some(50, some(50, names(long), names(short)), redirects(short)), true},
	} {
		w := newStreet()
		for i := range stories {
			for _, u := range []string{long(i), short(i)} {
				w.Add(u, fmt.Sprint("story ", i), int64(1000+37*i))
			}
			c.says(w, i)
		}
		for run := range uint64(8) {
			o := madeup.Options()
			o.Key = [2]uint64{run, run}
			m := w.machine(o)
			w.run(m)
			want := short(3)
			if c.long {
				want = long(3)
			}
			if a, b := formOf(m, long(3)), formOf(m, short(3)); a != want || b != want {
				t.Errorf("%s, run %d: the forms are %s and %s, want %s", c.name, run, a, b, want)
			}
			for _, e := range saved(m) {
				if e.Verdict.Reason == book.ByRedirects && strings.Contains(c.name, "name") {
					t.Errorf("%s: %s", c.name, e.Verdict.Reason)
				}
			}
		}
	}
}

// A rule whose other direction cannot be tried stays as it is, whatever the pages say.
func TestRuleWithoutOtherDirection(t *testing.T) {
	w := newStreet()
	for i := range 40 {
		u, v := fmt.Sprintf("/x/amp/%d", i), fmt.Sprintf("/x/%d", i)
		w.Add(u, fmt.Sprint("story ", i), int64(1000+37*i))
		w.Add(v, fmt.Sprint("story ", i), int64(1000+37*i))
		w.canonical[u], w.canonical[v] = u, u
	}
	o := madeup.Options()
	o.GivenOnly = true
	m := New("street", o)
	m.Load(forms.NewWindow(w.Pages), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "/amp", To: ""}}, Support: 40}})
	w.run(m)
	if got := formOf(m, "/x/amp/3"); got != "/x/3" {
		t.Errorf("the form is %s", got)
	}
}
