package lifecycle

import (
	"fmt"
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

// The mixed pairs of a trial join pages that the rule does not join. Each u is in about as
// many pairs as the others. The order in which the pairs were tried has no effect.
func TestMixed(t *testing.T) {
	m := New("", madeup.Options())
	for n := range 60 {
		var all []trials.Tested
		for i := range n {
			all = append(all, trials.Tested{U: fmt.Sprint("/u", i), V: fmt.Sprint("/v", i/2), Key: m.book.Memory.Keys.Pair(fmt.Sprint("/u", i), fmt.Sprint("/v", i/2))})
		}
		each, joined, seen := map[string]int{}, map[string]string{}, map[book.Key]bool{}
		for _, p := range all {
			joined[p.U] = p.V
		}
		pairs := []forms.Pair(nil)
		for i := range all {
			pairs = append(pairs, trials.MixedWith(m.book.Memory.Keys, all, i, 2)...)
		}
		for _, p := range pairs {
			if each[p.U]++; joined[p.U] == p.V || each[p.U] > 2 || seen[p.Key] {
				t.Fatalf("of %d pairs: %s and %s", n, p.U, p.V)
			}
			seen[p.Key] = true
		}
		if n >= 6 && len(pairs) != 2*n {
			t.Errorf("%d mixed pairs of %d", len(pairs), n)
		}
	}
}

// Decoys are at most one of a kind, and the same for any order of the window.
func TestDecoys(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var want []forms.Decoy
	for range 5 {
		var pages []evidence.Page
		for i := range 600 {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/d%d/p%d", i%30, i)})
		}
		rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		m := New("", madeup.Options())
		m.Load(forms.NewWindow(pages), nil)
		m.derive(1)
		got := m.view.Decoys()
		kinds := map[string]bool{}
		for _, d := range got {
			kinds[d.Kind] = true
		}
		if len(got) != forms.MostDecoys || len(kinds) != forms.MostDecoys || want != nil && !slices.Equal(got, want) {
			t.Fatalf("%d decoys of %d kinds: %v", len(got), len(kinds), got)
		}
		want = got
	}
}

// thirtyKinds returns a machine of a site whose pages are of thirty kinds.
func thirtyKinds() *Machine {
	var pages []evidence.Page
	for i := range 300 {
		pages = append(pages, evidence.Page{URL: fmt.Sprintf("/d%d/p%d", i%30, i)})
	}
	m := New("", madeup.Options())
	m.Load(forms.NewWindow(pages), nil)
	m.derive(1)
	return m
}

// know puts the comparison of two pages into the memory, as a trial would.
func (m *Machine) know(u, v string, c trial.Compared) {
	keys, s := m.book.Memory.Keys, trial.Seen{Compared: &c}
	m.book.Memory.Put(keys.Pair(u, v), book.Result{Looks: book.Looks{Seen: s, URLs: keys.Requested(u, v, &s)}, At: 1})
	m.book.Memory.Last++
}

// At first a few decoys are requested, before the verdict all. A decoy whose document is known is
// compared at once.
func TestDecoyDue(t *testing.T) {
	m := thirtyKinds()
	j := m.judge(1)
	due := func(last bool) (n int) {
		for p := j.DecoyDue(last); p != nil; p = j.DecoyDue(last) {
			m.know(p.U, p.V, trial.Compared{})
			n++
		}
		return n
	}
	if n := due(false); n != trials.FirstDecoys {
		t.Errorf("%d decoys at first", n)
	}
	for i := range 3 {
		m.know(m.view.Decoys()[trials.FirstDecoys+i].URL, "/x", trial.Compared{})
	}
	if n := due(false); n != 3 {
		t.Errorf("%d decoys whose documents are known", n)
	}
	if n := due(true); n != forms.MostDecoys-trials.FirstDecoys-3 {
		t.Errorf("%d decoys before the verdict", n)
	}
}

// A text is everywhere if more than a quarter of the decoys of other kinds show it. At least three
// such decoys are needed.
func TestEverywhere(t *testing.T) {
	for _, c := range []struct {
		others, show int
		want         bool
	}{{2, 2, false}, {3, 0, false}, {3, 1, true}, {4, 1, false}, {4, 2, true}, {12, 3, false}, {12, 4, true}} {
		m := New("", madeup.Options())
		pages := []evidence.Page{{URL: "/own/1"}, {URL: "/own/2"}}
		for i := range c.others {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/d%d/p", i)})
		}
		m.Load(forms.NewWindow(pages), nil)
		m.derive(1)
		for i, d := range m.view.Decoys() {
			m.book.Memory.Put(d.Key, book.Result{Looks: book.Looks{Seen: trial.Seen{Compared: &trial.Compared{U: trial.Shown{Text: uint64(i)}}}}, At: 1})
			if d.Kind == forms.KindOf("/own/1") {
				m.book.Memory.Put(d.Key, book.Result{Looks: book.Looks{Seen: trial.Seen{Compared: &trial.Compared{U: trial.Shown{Text: 99}}}}, At: 1})
			}
		}
		for i := range c.show {
			k := m.book.Memory.Keys.Pair(fmt.Sprintf("/d%d/p", i), fmt.Sprintf("/d%d/p", i))
			m.book.Memory.Put(k, book.Result{Looks: book.Looks{Seen: trial.Seen{Compared: &trial.Compared{U: trial.Shown{Text: 99}}}}, At: 1})
		}
		if got := m.judge(1).Everywhere("/own/1", "/own/2", 99); got != c.want {
			t.Errorf("%d of %d others: %v", c.show, c.others, got)
		}
	}
}

// A negative counts when the pair was negative twice. If the second look is not negative,
// the pair becomes a skip. After five confirmed negatives, one look is enough.
func TestSecondLook(t *testing.T) {
	m := New("", madeup.Options())
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/a"}}), nil)
	m.derive(1)
	seen := func(alike float64) trial.Seen { return trial.Seen{Compared: &trial.Compared{Alike: alike}} }
	for _, c := range []struct {
		name   string
		first  trial.Seen
		second *trial.Seen
		self   float64
		want   trial.Judgement
		doubt  bool
	}{
		{"alike", seen(0.9), nil, 0, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}, false},
		{"not alike", seen(0.5), nil, 0, trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}, true},
		{"nor the second time", seen(0.5), ptr(seen(0.4)), 1, trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}, false},
		{"the second time", seen(0.5), ptr(seen(1)), 1, trial.Judgement{Outcome: trial.Skip, Reason: trial.Unsteady}, false},
		{"the second time no answer", seen(0.5), ptr(madeup.Judged(trial.Skip, trial.NoAnswer)), 1, trial.Judgement{Outcome: trial.Skip, Reason: trial.NoAnswer}, false},
		{"missing", madeup.Judged(trial.Negative, trial.Missing), nil, 0, trial.Judgement{Outcome: trial.Negative, Reason: trial.Missing}, true},
		{"missing twice", madeup.Judged(trial.Negative, trial.Missing), ptr(madeup.Judged(trial.Negative, trial.Missing)), 1, trial.Judgement{Outcome: trial.Negative, Reason: trial.Missing}, false},
		{"leads back", madeup.Judged(trial.Returned, trial.LeadsBack), nil, 0, trial.Judgement{Outcome: trial.Returned, Reason: trial.LeadsBack}, false},
		{"as unlike itself", seen(0.88), ptr(seen(0.88)), 0.92, trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}, false},
		{"more unlike than itself", seen(0.86), ptr(seen(0.86)), 0.92, trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}, false},
		{"a page that is never itself", seen(0.6), ptr(seen(0.6)), 0, trial.Judgement{Outcome: trial.Skip, Reason: trial.Uncontrolled}, false},
	} {
		r := book.Result{Looks: book.Looks{Seen: c.first, Second: c.second, Self: c.self}, At: 1}
		if got, doubt := m.judge(1).Outcome(&r, "/a", "/b", &rule.Control{}); got != c.want || doubt != c.doubt {
			t.Errorf("%s: %v %v, in doubt %v", c.name, got.Outcome, got.Reason, doubt)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// After five confirmed negatives, further negatives of the rule count at once.
func TestConfirmedNegatives(t *testing.T) {
	for confirmed := range 2 * book.ConfirmedNegatives {
		m := New("", madeup.Options())
		var pages []evidence.Page
		for i := range 20 {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/a/%d", i)}, evidence.Page{URL: fmt.Sprintf("/b/%d", i)})
		}
		m.Load(forms.NewWindow(pages), nil)
		m.derive(1)
		for i := range 12 {
			r := book.Result{Looks: book.Looks{Seen: madeup.Judged(trial.Negative, trial.Different)}, At: 1}
			if i < confirmed {
				r = madeup.SeenTwice(trial.Negative, trial.Different, 1)
			}
			m.book.Memory.Put(m.book.Memory.Keys.Pair(fmt.Sprintf("/a/%d", i), fmt.Sprintf("/b/%d", i)), r)
		}
		c := book.Candidate{ID: "x", Rule: rule.Rule{Edit: rule.Substring{From: "/a/", To: "/b/", AtStart: true}}}
		sum := trials.New(m.judge(1), c, m.view.Forms, m.view.Moves(&c), 0, m.ongoing.awaited).Tally.Sum()
		want := trial.Stratum{Pairs: 20, Negatives: confirmed, Awaited: 12 - confirmed}
		if confirmed >= book.ConfirmedNegatives {
			want.Negatives, want.Awaited = 12, 0
		}
		if sum != want {
			t.Errorf("%d confirmed: %+v, want %+v", confirmed, sum, want)
		}
	}
}

// shownTown returns a town whose pages are computed by a function.
func shownTown(n int, page func(dir string, i int) (text string, shows trial.Shown)) (*town, func(m *Machine, t Look) trial.Seen) {
	w := noTown()
	pages := map[string]trial.Shown{}
	for i := range n {
		for _, dir := range []string{"/a/", "/b/"} {
			u := fmt.Sprintf("%sp%d", dir, i)
			_, shows := page(dir, i)
			pages[u] = shows
			w.Add(u, "a page", int64(1000+300*i))
		}
	}
	return w, func(m *Machine, t Look) trial.Seen {
		return m.Dialogue.Measure(t, w.Fetch(t.U), w.Fetch(t.V), func() trial.Compared { return madeup.Compared(pages[t.U], pages[t.V]) })
	}
}

// A rule is not valid if its pages have no more in common than pages that it does not join.
func TestControlledTrials(t *testing.T) {
	for _, c := range []struct {
		name  string
		shows func(dir string, i int) (string, trial.Shown)
		alike float64 // resemblance of unequal texts
		valid bool
	}{
		{"pages and their copies", func(_ string, i int) (string, trial.Shown) {
			return "", madeup.Shown(fmt.Sprint("page ", i), int64(1000+300*i))
		}, 0.2, true},
		{"copies on one template", func(_ string, i int) (string, trial.Shown) {
			return "", madeup.Shown(fmt.Sprint("page ", i), int64(1000+300*i))
		}, 0.95, true},
		{"pages on one template", func(dir string, i int) (string, trial.Shown) {
			return "", madeup.Shown(fmt.Sprint(dir, i), int64(1000+300*i))
		}, 0.95, false},
		{"one page, of one size", func(string, int) (string, trial.Shown) { return "", madeup.Shown("one page", 5000) }, 0.2, false},
		{"one page, as large as the log says", func(_ string, i int) (string, trial.Shown) {
			s := madeup.Shown("one page", int64(1000+300*i))
			s.Words = 9
			return "", s
		}, 0.2, false},
		{"one page with forms of its own", func(_ string, i int) (string, trial.Shown) { return "", madeup.Shown("one page", int64(1000+300*i)) }, 0.2, true},
	} {
		w, see := shownTown(60, c.shows)
		m := w.machine(madeup.Options())
		for now := int64(1); now < 10_000; now++ {
			test, ok := m.Next(now)
			if !ok {
				break
			}
			s := see(m, test)
			if s.Compared != nil && !s.Compared.SameText {
				s.Compared.Alike = c.alike
			}
			m.Dialogue.Outcome(test, s, 1, now)
		}
		if got := len(m.view.List) > 0; got != c.valid {
			t.Errorf("%s: %d rules are valid", c.name, len(m.view.List))
		}
		for _, e := range m.view.List {
			if e.Verdict.Control.Mixed < trials.EnoughMixed || e.Verdict.Threshold < 0.9 {
				t.Errorf("%s: %+v", c.name, e.Verdict)
			}
		}
	}
}

// In the set's trial a pair is judged under the joint control of the rules of its chain.
func TestControlOfChain(t *testing.T) {
	m := New("", madeup.Options())
	for i, r := range []rule.Rule{{Edit: rule.Substring{From: "c", To: "b"}}, {Edit: rule.Substring{From: "b", To: "a"}}} {
		c := rule.Control{Quantile: 0.3, Strict: i == 0}
		if i == 1 {
			c.Quantile = 0.93
		}
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1, Verdict: rule.Verdict{Control: c}}})
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/c"}, {URL: "/b", Evidence: evidence.Spans{{Min: 1, Max: 1}}}}), nil)
	m.derive(1)
	if c := m.view.Control("/c"); c.Quantile != 0.93 || !c.Strict {
		t.Errorf("both rules: %+v", c)
	}
	if c := m.view.Control("/b"); c.Quantile != 0.93 || c.Strict {
		t.Errorf("the second: %+v", c)
	}
	if c := m.view.Control("/a"); c != (rule.Control{}) {
		t.Errorf("none: %+v", c)
	}
}

// A refutation needs no control if each negative was confirmed by pages that did not change.
func TestIsFirm(t *testing.T) {
	for _, c := range []struct {
		self []float64 // of the negatives
		want bool
	}{{nil, true}, {[]float64{1, 1}, true}, {[]float64{1, .99}, false}} {
		a := trials.Trial{}
		for i, self := range c.self {
			seen := madeup.SeenTwice(trial.Negative, trial.Different, 1)
			seen.Self = self
			a.Pairs[trial.Near] = append(a.Pairs[trial.Near], trials.Pair{Seen: &seen, Outcome: seen.Judgement})
			a.Touched = append(a.Touched, trials.Place{Stratum: trial.Near, Index: i})
		}
		positive := madeup.SeenTwice(trial.Positive, trial.Similar, 1)
		positive.Self = .8
		a.Pairs[trial.Near] = append(a.Pairs[trial.Near], trials.Pair{Seen: &positive, Outcome: positive.Judgement})
		a.Touched = append(a.Touched, trials.Place{Stratum: trial.Near, Index: len(c.self)})
		if got := a.IsFirm(); got != c.want {
			t.Errorf("%v: %v", c.self, got)
		}
	}
}
