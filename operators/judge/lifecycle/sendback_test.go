package lifecycle

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// chained returns a machine whose rules turn /f0 into /f1, /f1 into /f2, and so on.
func chained(n int) (m *Machine, texts []string) {
	m = New("", madeup.Options())
	texts = []string{"/f0"}
	for i := range n {
		r := rule.Rule{Edit: rule.Substring{From: fmt.Sprint("f", i), To: fmt.Sprint("f", i+1)}}
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1, Verdict: rule.Verdict{Time: 100}}})
		texts = append(texts, fmt.Sprint("/f", i+1))
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/f0"}}), nil)
	m.derive(200)
	return m, texts
}

// put records the outcome of a pair in the machine.
func (m *Machine) put(u, v string, o trial.Outcome, at int64) {
	reason := trial.Similar
	if o != trial.Positive {
		reason = trial.Different
	}
	m.book.Memory.Put(m.book.Memory.Keys.Pair(u, v), madeup.SeenTwice(o, reason, at))
}

// The search for the wrong step runs on walks over pages with few texts. Some pages do not
// answer. If every page answers, the search finds a step that is wrong by itself, with at
// most one test more than bisection needs.
func TestWrongStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		n := 1 + rng.IntN(12)
		m, texts := chained(n)
		page, mute := make([]int, n+1), rng.IntN(3) == 0
		for i := 1; i < n; i++ {
			if page[i] = rng.IntN(3); mute && rng.IntN(3) == 0 {
				page[i] = -1
			}
		}
		page[n] = 1 + rng.IntN(2)
		m.put(texts[0], texts[n], trial.Negative, 200)
		asked := 0
		step, ask := (&trials.Tracer{Judge: m.judge(200)}).WrongStep(texts)
		for ; ask != nil; step, ask = (&trials.Tracer{Judge: m.judge(200)}).WrongStep(texts) {
			u, v := page[slices.Index(texts, ask.U)], page[slices.Index(texts, ask.V)]
			outcome := trial.Positive
			switch {
			case u < 0 || v < 0:
				outcome = trial.Skip
			case u != v:
				outcome = trial.Negative
			}
			m.put(ask.U, ask.V, outcome, 200)
			asked++
		}
		switch {
		case step > 0 && (page[step-1] != 0 || page[step] <= 0):
			t.Fatalf("pages %v: step %d", page, step)
		case step == 0 && !slices.Contains(page, -1):
			t.Fatalf("pages %v: no step is found", page)
		case !mute && asked > bits.Len(uint(n-1))+1:
			t.Fatalf("pages %v: %d pairs are asked for", page, asked)
		}
	}
}

// The rule at fault for a wrong form is the one whose own step is wrong. The step becomes one of its
// negatives, unless its verdict has counted it. If no step is wrong by itself, the rule of greatest
// rank is at fault. The rule is given an exception, or, at the third negative, is sent back.
func TestSendBack(t *testing.T) {
	const yes, no = trial.Positive, trial.Negative
	for _, c := range []struct {
		name          string
		first, second trial.Outcome // of /f0 with /f1, and /f1 with /f2
		at, whole     int64         // when /f1 with /f2, and /f0 with /f2, were tried; the rules' verdicts are of time 100
		want          int           // rank from 1; 0: no rule
		against       rule.Example
	}{
		{"the first step", no, no, 150, 150, 1, rule.Example{U: "/f0", V: "/f1", Outcome: "different"}},
		{"the second step", yes, no, 150, 150, 2, rule.Example{U: "/f1", V: "/f2", Outcome: "different"}},
		{"both a little", yes, yes, 150, 150, 2, rule.Example{U: "/f0", V: "/f2", Outcome: "different"}},
		{"no answer", trial.Skip, no, 150, 150, 2, rule.Example{U: "/f0", V: "/f2", Outcome: "different"}},
		{"the verdict knew", no, yes, 50, 150, 0, rule.Example{}},
		{"the second verdict knew", yes, no, 50, 150, 0, rule.Example{}},
		{"it knew both together", yes, no, 150, 50, 0, rule.Example{}},
	} {
		for later := range mostLater {
			m, _ := chained(2)
			for _, e := range m.book.Entries {
				e.Later = later
			}
			m.put("/f0", "/f1", c.first, c.at)
			m.put("/f1", "/f2", c.second, c.at)
			p := trials.Pair{Pair: m.view.Pair("/f0", "/f0", "/f2")}
			p.Outcome = trial.Judgement{Outcome: no, Reason: trial.Different}
			m.put(p.U, p.V, no, c.whole)
			_, s := m.faults.sendBack(&m.view.Part, &p, SetTrial, "", 0, 200)
			if (s == changed) != (c.want > 0) {
				t.Errorf("%s: done %v", c.name, s)
			}
			for _, e := range m.book.Entries {
				fault := len(e.Sent) > 0
				if fault != (e.Rank == c.want) || fault && (len(e.Sent) != 1 || e.Sent[0] != c.against) {
					t.Errorf("%s: rank %d is %s, by %v", c.name, e.Rank, e.State, e.Sent)
				}
				if sent := e.State == rule.SentBack; sent != (fault && later == mostLater-1) || e.Rule.Excepts([]byte(fmt.Sprint("/f", e.Rank-1))) != (fault && !sent) {
					t.Errorf("%s, negative %d: rank %d is %s: %s", c.name, later+1, e.Rank, e.State, e.Rule.Words())
				}
			}
		}
	}
}

// A re-validation tries the intermediate pages again, since those pages may have changed.
func TestBlameIsAsFreshAsTheSample(t *testing.T) {
	m, _ := chained(2)
	m.Restore(book.Act{Round: &book.Round{At: 160}})
	m.put("/f0", "/f1", trial.Positive, 150)
	m.put("/f0", "/f2", trial.Negative, 170)
	p := trials.Pair{Pair: m.view.Pair("/f0", "/f0", "/f2")}
	p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	since := map[Purpose]int64{SetRecheck: 160}
	for _, c := range []struct {
		purpose Purpose
		want    [2]string
	}{{SetTrial, [2]string{"/f1", "/f2"}}, {SetRecheck, [2]string{"/f0", "/f1"}}} {
		test, s := m.faults.sendBack(&m.view.Part, &p, c.purpose, "", since[c.purpose], 200)
		if s != gave || [2]string{test.U, test.V} != c.want || test.Purpose != c.purpose || test.Fresh != (c.purpose == SetRecheck) {
			t.Errorf("purpose %d: %+v, want %v", c.purpose, test, c.want)
		}
		if _, s := m.faults.sendBack(&m.view.Part, &p, c.purpose, "", since[c.purpose], 200); s != waiting {
			t.Errorf("asked twice: %v", s)
		}
		m.Dialogue.Release(test)
	}
}

// If a false step comes before a true one, its rule is given exceptions. The other rule has no
// followers.
func TestFalseStepBeforeTrueOne(t *testing.T) {
	w := noTown()
	add := func(u, text string, i int) { w.Add(u, text, int64(1000+37*i)) }
	for i := range 14 {
		text, left := fmt.Sprint("page ", i), fmt.Sprint("page ", i)
		if i == 3 {
			left = "another page"
		}
		add(fmt.Sprintf("/b/p%d?sid=%d", i, i), left, i)
		add(fmt.Sprintf("/b/p%d", i), text, i)
		add(fmt.Sprintf("/a/p%d", i), text, i)
		w.Text[fmt.Sprintf("/a/p%d?sid=%d", i, i)] = left
	}
	for i := range 600 {
		add(fmt.Sprintf("/c/p%d?sid=%d", i, i), fmt.Sprint("more ", i), i)
		add(fmt.Sprintf("/c/p%d", i), fmt.Sprint("more ", i), i)
	}
	drop, shrinking := rule.Rule{Edit: rule.Drop{Param: "sid"}}, rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}
	if shrinking.Grows() {
		shrinking = shrinking.Opposite()
	}
	o := madeup.Options()
	o.GivenOnly = true
	m := New("town", o)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), []rule.Candidate{{Rule: drop, Support: 600}, {Rule: shrinking, Support: 14}})
	w.live(m, 1, ignore)
	if e := m.book.Entries[rule.ID("town", &drop)]; e.State != rule.Valid || len(e.Sent) == 0 || e.Sent[0].U != "/b/p3?sid=3" || e.Sent[0].V != "/b/p3" {
		t.Errorf("the false step: %s, blamed for %v", e.State, e.Sent)
	}
	for _, c := range []struct{ url, form string }{{"/b/p3?sid=3", "/a/p3?sid=3"}, {"/a/p3?sid=3", "/a/p3?sid=3"}, {"/b/p4?sid=4", "/a/p4"}} {
		if got := m.formOf(c.url); got != c.form {
			t.Errorf("%s becomes %s, want %s", c.url, got, c.form)
		}
	}
	if e := m.book.Entries[rule.ID("town", &shrinking)]; e.State != rule.Valid || len(e.Sent) > 0 {
		t.Errorf("the true step: %s, sent back by %v", e.State, e.Sent)
	}
	for _, e := range m.view.List {
		if e.Rule.Grows() {
			t.Errorf("published: %+v", e.Rule)
		}
	}
}

// A rule is followed by its growing direction only if it has failed a pair of its own.
func TestGrowingFollower(t *testing.T) {
	m, _ := chained(1)
	r := rule.Rule{Edit: rule.Substring{From: "/print/", To: "/"}}
	for _, own := range []bool{false, true} {
		a := &trials.Trial{Candidate: book.Candidate{Rule: r}}
		a.Pairs[0] = []trials.Pair{{Pair: forms.Pair{U: "/print/a", V: "/a", Form: "/print/a"}, Outcome: trial.Judgement{Outcome: trial.Positive}},
			{Pair: forms.Pair{U: "/print/b", V: "/b", Form: "/print/b"}, Outcome: trial.Judgement{Outcome: trial.Negative}}}
		if !own {
			a.Negative(rule.Example{U: "/print/b", V: "/b"})
		}
		a.Negative(rule.Example{U: "/print/c", V: "/x"})
		next, _ := a.Followers(m.judge(1))
		grow := slices.ContainsFunc(next, func(f rule.Rule) bool { return f.Grows() })
		if grow != own {
			t.Errorf("a negative of its own %v: the growing direction follows %v", own, grow)
		}
	}
}
