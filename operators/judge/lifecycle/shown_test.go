package lifecycle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// know puts the comparison of two pages of a town into the memory, as another rule's trial would.
func (w *town) know(m *Machine, u, v string) { m.know(u, v, madeup.Compared(w.Shown(u), w.Shown(v))) }

// The pairs whose documents are known are those that a plain search among all pairs finds. All
// pages of a town show one text, and the texts of pages are random.
func TestShownPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	sums := [2]float64{}
	for range 20 {
		w := newTown(12)
		for i := range w.Pages {
			w.Text[w.Pages[i].URL] = fmt.Sprint("text ", rng.IntN(3))
		}
		m := w.machine(madeup.Options())
		m.derive(1)
		for range 12 {
			u, v := w.Pages[rng.IntN(len(w.Pages))].URL, w.Pages[rng.IntN(len(w.Pages))].URL
			w.know(m, u, v)
		}
		for i := range book.LeastPositives { // pages that are alike show equal texts
			u := fmt.Sprint("/same/", i)
			w.Text[u] = "the same"
			w.know(m, u, u)
		}
		requested := map[string]bool{}
		for _, p := range w.Pages {
			requested[p.URL] = m.book.Memory.Has(m.book.Memory.Keys.Document(p.URL), 1)
		}
		for _, r := range []rule.Rule{
			{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}, {Edit: rule.Substring{From: "/d/", To: "/c/", AtStart: true}}, {Edit: rule.Drop{Param: "sort"}},
			{Edit: rule.Set{Param: "sid", Value: "7"}}, {Edit: rule.Set{Param: "sort", Value: "up"}},
		} {
			c := book.Candidate{ID: rule.ID("town", &r), Rule: r}
			alike, differ := chooserOf(m.life, 1).shown.pairs(&c)
			wantAlike, wantDiffer := w.plainShown(m.view, &c, requested)
			if math.Abs(alike-wantAlike) > 1e-9 || math.Abs(differ-wantDiffer) > 1e-9 {
				t.Fatalf("%s: %v alike, %v differ, want %v and %v", r.Words(), alike, differ, wantAlike, wantDiffer)
			}
			sums[0], sums[1] = sums[0]+alike, sums[1]+differ
		}
	}
	if sums[0] < 20 || sums[1] < 20 {
		t.Errorf("only %v pairs", sums)
	}
}

// plainShown counts the pairs by the texts of the pages.
func (w *town) plainShown(view *forms.View, c *book.Candidate, requested map[string]bool) (alike, differ float64) {
	moves := view.Moves(c)
	pairs, _ := view.Pairs(view.Forms, moves, view.Asks(view.Forms, &c.Rule, moves))
	all := 0
	for h := range pairs {
		all += len(pairs[h])
	}
	part, of := map[string]float64{}, map[string][]string{} // the forms of each v
	for h := range pairs {
		for _, p := range pairs[h] {
			part[p.U] = min(1, float64(len(pairs[h]))/(0.2*float64(all)))
			if requested[p.U] {
				of[p.V] = append(of[p.V], p.U)
			}
		}
	}
	for v, forms := range of {
		text := w.Text[v]
		if !requested[v] { // the text of most forms, of the form first in the window among equals
			most := 0
			var stands string
			for i := range view.Forms.Texts {
				u, n := view.Forms.Rep(int32(i)), 0
				for _, f := range forms {
					if w.Text[f] == w.Text[u] {
						n++
					}
				}
				for _, f := range forms {
					if f == u && n > most {
						most, stands = n, u
					}
				}
			}
			text = w.Text[stands]
			alike -= part[stands]
		}
		for _, u := range forms {
			if w.Text[u] == text {
				alike += part[u]
			} else {
				differ += part[u]
			}
		}
	}
	return alike, differ
}

// Where pages that are alike show different texts, known documents tell nothing.
func TestShowsTexts(t *testing.T) {
	for _, c := range []struct {
		same, similar int
		want          bool
	}{{4, 0, false}, {5, 0, true}, {18, 1, false}, {19, 1, true}, {0, 30, false}} {
		m := New("town", madeup.Options())
		for i := range c.same + c.similar {
			k := m.book.Memory.Keys.Pair(fmt.Sprint("/u", i), fmt.Sprint("/v", i))
			m.book.Memory.Put(k, book.Result{Looks: book.Looks{Seen: trial.Seen{Compared: &trial.Compared{Alike: .95, SameText: i < c.same}}}, At: 1})
			m.book.Memory.Put(m.book.Memory.Keys.Pair(fmt.Sprint("/w", i), ""), book.Result{Looks: book.Looks{Mixed: true, Seen: trial.Seen{Compared: &trial.Compared{Alike: .1}}}, At: 1})
		}
		if got := m.book.Memory.ShowsTexts(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Of two rules the rule is tried first of which fewer known pairs differ. Pairs without a page count,
// too.
func TestChooseByShown(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	open := []book.Candidate{
		{ID: "1", Rule: rule.Rule{Edit: rule.Substring{From: "/d/", To: "/c/", AtStart: true}}, Order: 1},
		{ID: "2", Rule: rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}, Order: 2},
	}
	chosen := func() string {
		m.shown = nil // the documents come without acts
		c, _ := chooserOf(m.life, 1).choose(open)
		return c.ID
	}
	for i := range book.LeastPositives {
		w.know(m, fmt.Sprintf("/list/%d", i), fmt.Sprintf("/list/%d?sid=%d1", i, i))
	}
	if chosen() != "1" {
		t.Fatal("the order does not decide among equals")
	}
	w.know(m, "/c/q7.html", "/list/9")
	if chosen() != "1" {
		t.Fatal("one document of a pair decides")
	}
	w.know(m, "/d/q7.html", "/list/9")
	if chosen() != "2" {
		t.Fatal("a known pair that differs does not count")
	}
	for _, gone := range m.view.Drawing(&open[1]).First[:2] {
		m.book.Memory.Put(gone.Key, book.Result{Looks: book.Looks{Seen: madeup.Judged(trial.Negative, trial.Missing)}, At: 1})
	}
	if chosen() != "1" {
		t.Fatal("a pair without a page does not count")
	}
}

// When a pair of a rule on trial differs, another rule of the same gain goes on, unless only the last
// rule may be tried. A drop is refuted, since its narrower scopes and set wait for that.
func TestTrialGivesWay(t *testing.T) {
	bad := rule.Rule{Edit: rule.Substring{From: "/d/", To: "/c/", AtStart: true}}
	for _, c := range []struct {
		rule rule.Rule
		rest Rest
		want bool // the rule's trial goes on
	}{{bad, NoRest, false}, {bad, LastRule, true}, {rule.Rule{Edit: rule.Drop{Param: "sort"}}, NoRest, true}} {
		w, o := newTown(40), madeup.Options()
		o.GivenOnly = true
		m := w.machine(o)
		m.candidates = []book.Candidate{
			{ID: rule.ID("town", &c.rule), Rule: c.rule, Grounds: book.Strong},
			{ID: rule.ID("town", &rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}), Rule: rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}},
		}
		for i := range book.LeastPositives {
			w.know(m, fmt.Sprintf("/list/%d", i), fmt.Sprintf("/list/%d?sid=%d1", i, i))
		}
		first, ok := m.Next(1)
		if !ok || first.Rule != m.candidates[0].ID {
			t.Fatalf("%s: first %+v", c.rule.Words(), first)
		}
		m.Dialogue.Outcome(first, w.see(m, first), 1, 1)
		m.Rest(c.rest)
		next, ok := m.Next(1)
		if !ok || (next.Rule == first.Rule) != c.want {
			t.Errorf("%s, rest %d: after a negative %+v", c.rule.Words(), c.rest, next)
		}
	}
}

// LastRule ends with the trial under way. FullRest tries no rule.
func TestRest(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	first, ok := m.Next(1)
	if !ok || first.Purpose != Trial {
		t.Fatalf("first %+v", first)
	}
	m.Dialogue.Outcome(first, w.see(m, first), 1, 1)
	m.Rest(LastRule)
	tests := 0
	for test, ok := m.Next(1); ok && test.Purpose != SetTrial; test, ok = m.Next(1) {
		if test.Rule != first.Rule {
			t.Fatalf("after %d tests %+v, the trial of %s was under way", tests, test, first.Rule)
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, 1)
		tests++
	}
	if e := m.book.Entries[first.Rule]; e == nil || tests < 5 {
		t.Errorf("after %d tests the rule is %+v", tests, e)
	}
	m.Rest(FullRest)
	if test, ok := m.Next(1); ok && test.Purpose == Trial {
		t.Errorf("a rule is tried while the machine rests: %+v", test)
	}
}

// The known documents of a candidate are counted anew when it is given an exception, with which it keeps its id.
func TestShownAfterException(t *testing.T) {
	w := noTown()
	for i := range 60 {
		p, more := fmt.Sprintf("/a/p%d", i), ""
		if i < 30 {
			p, more = fmt.Sprintf("/b/p%d", i), " other"
		}
		w.Add(p, p, 500)
		w.Add(p+"?n=1", p+more, 500)
	}
	m := New("town", madeup.Options())
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
	m.derive(1)
	for i := range 14 {
		for _, v := range []string{fmt.Sprint("/a/p", 30+i), fmt.Sprint("/b/p", i/4)} {
			l := Look{U: v + "?n=1", V: v, Purpose: SetTrial, key: m.book.Memory.Keys.Pair(v+"?n=1", v)}
			m.Dialogue.Outcome(l, w.see(m, l), 1, 1)
		}
	}
	r := rule.Rule{Edit: rule.Drop{Param: "n"}}
	c := book.Candidate{ID: rule.ID("town", &r), Rule: r}
	if _, differ := chooserOf(m.life, 1).shown.pairs(&c); differ == 0 {
		t.Fatal("no pair differs")
	}
	c.Rule.Except, _ = rule.Except{}.With(rule.Scope{Prefix: "/b/"})
	if alike, differ := chooserOf(m.life, 1).shown.pairs(&c); alike == 0 || differ > 0 {
		t.Errorf("%v alike, %v differ", alike, differ)
	}
}
