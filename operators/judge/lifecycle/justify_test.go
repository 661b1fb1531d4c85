package lifecycle

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A rule in a narrower scope keeps an exception if a pair in that scope suggested it, or a pair that is not known any more.
func TestFollowersKeepJustifiedExceptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		wrong  string // the query of the page that suggested the exception
		known  bool   // an outcome of the page was known
		now    int64  // the time; its outcome is of the time 1
		remain bool
	}{
		{"of a page outside", "f=x", true, 1, false},
		{"of a page inside", "f=x&b=2", true, 1, true},
		{"a week later", "f=x&b=2", true, 1 + 7*book.Day, true},
		{"of a report", "f=x&b=2", false, 1, true},
	} {
		w := noTown()
		add := func(page, query string) {
			w.Add(page+"?"+query, page, 500)
			w.Add(page+"?"+query+"&n=1", page, 500)
		}
		for i := range 30 {
			add(fmt.Sprint("/p", i), "b=2")
		}
		add("/q", c.wrong)
		add("/z", "g=1")
		m := New("town", madeup.Options())
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
		m.derive(1)
		if c.known {
			m.put("/q?"+c.wrong+"&n=1", "/q?"+c.wrong, trial.Negative, 1)
		}

		r := rule.Rule{Edit: rule.Drop{Param: "n"}}
		except, err := rule.Except{}.With(rule.Scope{Where: rule.Where("f", "x")})
		must(t, err)
		r.Except = except
		cand := book.Candidate{ID: rule.ID("town", &r), Rule: r}
		a := trials.New(m.judge(c.now), cand, m.view.Forms, m.view.Moves(&cand), 0, nil)
		for h := range a.Pairs {
			for i := range a.Pairs[h] {
				if a.Pairs[h][i].U != "/z?g=1&n=1" {
					a.Pairs[h][i].Outcome = trial.Judgement{Outcome: trial.Positive}
				}
			}
		}
		narrow := rule.Scope{Where: rule.Where("b", "2")}
		next, _ := a.Followers(m.judge(c.now))
		at := slices.IndexFunc(next, func(f rule.Rule) bool { return f.Scope == narrow })
		if at < 0 {
			t.Fatalf("%s: %s", c.name, madeup.Words(next))
		}
		if kept := next[at].Except == except; kept != c.remain {
			t.Errorf("%s: %s", c.name, madeup.Words(next[at:at+1]))
		}
	}
}

// Set follows a refuted drop at once if its pages need the name, and after all else if many do without it.
func TestSetFollows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		alike int // pairs
		late  bool
	}{{4, false}, {5, true}} {
		w := noTown()
		for i := range 30 {
			for _, query := range []string{"", "?n=1", "?n=2"} {
				w.Add(fmt.Sprint("/p", i, query), "page", 500)
			}
		}
		m := New("town", madeup.Options())
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
		m.derive(1)
		r := rule.Rule{Edit: rule.Drop{Param: "n"}}
		cand := book.Candidate{ID: rule.ID("town", &r), Rule: r}
		a := trials.New(m.judge(1), cand, m.view.Forms, m.view.Moves(&cand), 0, nil)
		for i := range 10 {
			outcome := trial.Negative
			if i < c.alike {
				outcome = trial.Positive
			}
			a.Pairs[trial.Near][i].Outcome = trial.Judgement{Outcome: outcome}
			a.Tally.Add(trial.Near, outcome, 1)
		}
		next, late := a.Followers(m.judge(1))
		set := rule.Rule{Edit: rule.Set{Param: "n", Value: "1"}}
		if slices.Contains(next, set) == c.late || slices.Contains(late, set) != c.late {
			t.Errorf("%d alike: %s; late: %s", c.alike, madeup.Words(next), madeup.Words(late))
		}
	}
}

// Proofs come first only if no candidate merges one in fewForms of the forms, whichever is worth most: the best one may be
// small and cost nothing.
func TestProofsComeAfterLargeCandidates(t *testing.T) {
	t.Parallel()
	w := noTown()
	names := map[string]int{"small": 12, "large": 60}
	for name, n := range names {
		for i := range n {
			w.Add(fmt.Sprint("/", name, i), fmt.Sprint(name, i), 700)
			w.Add(fmt.Sprint("/", name, i, "?", name, "=1"), fmt.Sprint(name, i), 700)
		}
	}
	for i := range 10_000 {
		w.Add(fmt.Sprint("/rest/", i), "rest", 900)
	}
	m := New("town", madeup.Options())
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
	m.derive(1)
	candidate := func(name string, late bool) book.Candidate {
		r := rule.Rule{Edit: rule.Drop{Param: name}}
		return book.Candidate{ID: rule.ID("town", &r), Rule: r, Late: late}
	}
	small, large, late := candidate("small", false), candidate("large", false), candidate("large", true)
	for _, c := range []struct {
		name   string
		open   []book.Candidate
		few    bool
		ranked int // candidates before which no proof comes for this reason
	}{
		{"a small one", []book.Candidate{small}, true, 0},
		{"a small one, then a large one", []book.Candidate{small, large}, false, 2},
		{"a large one, then a small one", []book.Candidate{large, small}, false, 1},
		{"a small one, then a late one", []book.Candidate{small, late}, true, 0},
	} {
		var ranked []bound
		for i := range c.open {
			ranked = append(ranked, bound{c: &c.open[i]})
		}
		if few, n := m.prover.mergeFew(c.open), m.prover.fewFrom(ranked); few != c.few || n != c.ranked {
			t.Errorf("%s: %v, %d", c.name, few, n)
		}
	}
}

// A pair that sent the rule back, and whose URL has the names only as the rules before make it, says nothing of a set of names.
func TestSentPairWithoutNames(t *testing.T) {
	w := noTown()
	for i := range 60 {
		w.Add(fmt.Sprint("/p", i), fmt.Sprint(i), 500)
		w.Add(fmt.Sprint("/p", i, "?size=1&sort=2"), fmt.Sprint(i), 500)
	}
	m := New("town", madeup.Options())
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
	m.derive(1)
	r := rule.Rule{Edit: rule.DropOf("size", "sort")}
	cand := book.Candidate{ID: rule.ID("town", &r), Rule: r}
	for _, u := range []string{"/p3?SIZE=1", "/p3?sort=2"} {
		a := trials.New(m.judge(1), cand, m.view.Forms, m.view.Moves(&cand), 0, nil)
		for h := range a.Pairs {
			for i := range a.Pairs[h] {
				a.Pairs[h][i].Outcome = trial.Judgement{Outcome: trial.Positive}
			}
		}
		a.Negative(rule.Example{U: u, V: "/p3"})
		_, _, bad := a.Differing()
		if len(bad) > 0 {
			a.Without(bad)
			next, _ := a.Followers(m.judge(1))
			t.Errorf("%s: refuted for sets %v, followers %s", u, bad, madeup.Words(next))
		}
	}
}
