package lifecycle_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// callers are the reasons that only callers of a machine give; package prober reaches them.
var callers = []lifecycle.Why{lifecycle.NextLook, lifecycle.Queued, lifecycle.Budget, lifecycle.Spent, lifecycle.Rests, lifecycle.Robots, lifecycle.Hosts, lifecycle.Moved, lifecycle.Ended, lifecycle.Strange, lifecycle.NoOrigin, lifecycle.Off}

// given returns a machine that tries only given rules.
func given(o book.Options, w *town, rules ...rule.Rule) *lifecycle.Machine {
	o.GivenOnly = true
	m := New("town", o)
	var all []rule.Candidate
	for _, r := range rules {
		all = append(all, rule.Candidate{Rule: r, Support: 40})
	}
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), all)
	return m
}

// present asks a machine for a pair, and returns what it says of the present.
func presentAt(m *lifecycle.Machine, now int64) lifecycle.Now {
	m.Next(now)
	return m.Answers.Status().Now
}

// addFew adds pages for which a rule has five pairs.
func (w *town) addFew() {
	for i := range 5 {
		w.Add(fmt.Sprintf("/e/r%d", i), fmt.Sprint("r ", i), int64(700_000+5000*i))
		w.Add(fmt.Sprintf("/f/r%d", i), fmt.Sprint("r ", i), int64(700_000+5000*i))
	}
}

var mirrored = rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}

// Each reason of a machine can be reached, and has words.
func TestNow(t *testing.T) {
	few := madeup.Options()
	few.MaxRules = 1
	held := madeup.Options()
	held.HoldShare = 0.01
	reached := map[lifecycle.Why]lifecycle.Now{}
	for _, c := range []struct {
		want lifecycle.Why
		of   func() lifecycle.Now
	}{
		{lifecycle.FirstLook, func() lifecycle.Now { return presentAt(New("town", madeup.Options()), 1) }},
		{lifecycle.Trying, func() lifecycle.Now { return presentAt(newTown(40).machine(madeup.Options()), 1) }},
		{lifecycle.Awaiting, func() lifecycle.Now {
			m := newTown(40).machine(madeup.Options())
			for _, ok := m.Next(1); ok; _, ok = m.Next(1) {
			}
			return m.Answers.Status().Now
		}},
		{lifecycle.Kept, func() lifecycle.Now {
			m := newTown(40).machine(madeup.Options())
			m.Rest(lifecycle.FullRest)
			return presentAt(m, 1)
		}},
		{lifecycle.ListFull, func() lifecycle.Now {
			w := newTown(40)
			m := w.machine(few)
			w.live(m, 1, ignore)
			return m.Answers.Status().Now
		}},
		{lifecycle.LittleLeft, func() lifecycle.Now {
			w, rules := falseTown()
			m := given(madeup.Options(), w, rules...)
			for look, ok := m.Next(1); ok; look, ok = m.Next(1) {
				m.Dialogue.Outcome(look, w.see(m, look), 1, 1)
			}
			return m.Answers.Status().Now
		}},
		{lifecycle.SecondLook, func() lifecycle.Now {
			w, rules := falseTown()
			o := madeup.Options()
			o.SecondAfter = 60
			m := given(o, w, rules[0])
			_, _ = w.visit(m, up, 1)
			return m.Answers.Status().Now
		}},
		{lifecycle.Failing, func() lifecycle.Now {
			w := newTown(40)
			m := w.machine(madeup.Options())
			w.visit(m, down, 1)
			return m.Answers.Status().Now
		}},
		{lifecycle.Unable, func() lifecycle.Now { return presentAt(given(madeup.Options(), newTown(5), mirrored), 1) }},
		{lifecycle.Approval, func() lifecycle.Now {
			w := newTown(40)
			m := given(held, w, mirrored)
			return presentAt(m, w.live(m, 1, ignore))
		}},
		{lifecycle.Level, func() lifecycle.Now {
			w := newTown(40)
			m := w.machine(madeup.Options())
			for now := int64(book.Day); ; now++ {
				test, ok := m.Next(now)
				if !ok {
					return m.Answers.Status().Now
				}
				m.Dialogue.Outcome(test, w.see(m, test), 1, now)
			}
		}},
		{lifecycle.AllTried, func() lifecycle.Now {
			w := newTown(40)
			m := given(madeup.Options(), w, mirrored)
			return presentAt(m, w.live(m, 1, ignore))
		}},
		{lifecycle.NoneLikely, func() lifecycle.Now { return presentAt(given(madeup.Options(), newTown(40)), 1) }},
	} {
		t.Run(string(c.want), func(t *testing.T) {
			now := c.of()
			if reached[now.Why] = now; now.Why != c.want || now.Words() == "" {
				t.Errorf("got %+v, %q; want %s", now, now.Words(), c.want)
			}
		})
	}
	for _, why := range callers {
		reached[why] = lifecycle.Now{Why: why}
	}
	if got, want := slices.Sorted(maps.Keys(reached)), slices.Sorted(maps.Keys(lifecycle.WhyWords)); !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	if now := reached[lifecycle.Level]; now.Until <= 1 {
		t.Errorf("the next level begins at %d", now.Until)
	}
	unable := reached[lifecycle.Unable]
	if got, want := unable.Words(), "none of the remaining rules can be tested: 1: too few pairs of pages to decide, such as "+mirrored.Words()+" (5 of 10)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each reason for which a likely rule is not tried can be reached, and is told of the rule.
func TestUntried(t *testing.T) {
	w := newTown(40)
	for i := range 12 {
		token := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
		w.Add("/s?key="+token, "s", int64(500_000+i))
		w.Add(fmt.Sprintf("/dot/.%d", i), fmt.Sprint("dot ", i), int64(600_000+5000*i))
	}
	w.addFew()
	secret := "AKIA" + strings.ToUpper(strings.Repeat("Q7Z3", 4))
	vetoed := rule.Rule{Edit: rule.Drop{Param: "sort"}}
	o := madeup.Options()
	o.Veto = []string{rule.ID("town", &vetoed)}
	cases := []struct {
		why    forms.Untried
		of     rule.Rule
		loaded bool
	}{
		{forms.Waits, rule.Rule{Edit: rule.Drop{Param: "sid"}}, true},
		{forms.FewPairs, rule.Rule{Edit: rule.Substring{From: "/f/", To: "/e/", AtStart: true}}, true},
		{forms.NotFetched, rule.Rule{Edit: rule.Drop{Param: "key"}}, true},
		{forms.LittleGain, rule.Rule{Edit: rule.Substring{From: "/b/p1.", To: "/a/p1.", AtStart: true}}, true},
		{forms.NoForm, rule.Rule{Edit: rule.Substring{From: ".", To: "..x"}}, true},
		{forms.Vetoed, vetoed, true},
		{forms.Hidden, rule.Rule{Edit: rule.Substring{From: "/" + secret + "/", To: "/a/"}}, true},
		{forms.Pattern, rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Path: "/x/*/list", HasPath: true}}, false},
		{forms.Unseen, rule.Rule{Edit: rule.Drop{Param: "unheard"}}, false},
	}
	loaded := []rule.Rule{mirrored}
	var asked []rule.Rule
	for _, c := range cases {
		if asked = append(asked, c.of); c.loaded {
			loaded = append(loaded, c.of)
		}
	}
	m := given(o, w, loaded...)
	for _, l := range m.Answers.Detail(lifecycle.Query{Likely: asked}, 1).Likely {
		if l.Untried != forms.Unseen {
			t.Errorf("before the first look: %+v", l)
		}
	}
	m.Next(1)
	for i, l := range m.Answers.Detail(lifecycle.Query{Likely: asked}, 1).Likely {
		if l.Untried != cases[i].why || l.Trial != nil || l.Untried.Words() == "" {
			t.Errorf("%s: %+v, want %s", asked[i].Words(), l, cases[i].why)
		}
		if l.Untried == forms.FewPairs && (l.Number != 5 || l.Needed != 10) {
			t.Errorf("%+v", l)
		}
	}
	if len(cases) != len(forms.UntriedWords) {
		t.Errorf("%d reasons are reached, want %d", len(cases), len(forms.UntriedWords))
	}
}

// A machine that gives out no test says why. A machine that does not rest tries each candidate that
// can be tried.
func TestIdleHasAReason(t *testing.T) {
	seen := map[lifecycle.Why]int{}
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 5))
		w := newTown(12 + random.IntN(30))
		if random.IntN(2) == 0 {
			w.addFew()
		}
		o := madeup.Options()
		o.HoldShare, o.PublishFirst = []float64{0.05, 1}[random.IntN(2)], int64(random.IntN(100))
		m := w.machine(o)
		rest := lifecycle.NoRest
		for now := int64(1); now < 3*book.Day; now++ {
			if random.IntN(30) == 0 {
				rest = []lifecycle.Rest{lifecycle.NoRest, lifecycle.NoRest, lifecycle.LastRule, lifecycle.FullRest}[random.IntN(4)]
				m.Rest(rest)
			}
			test, ok := m.Next(now)
			s := m.Answers.Status()
			seen[s.Now.Why]++
			if ok != (s.Now.Why == lifecycle.Trying) || s.Now.Words() == "" {
				t.Fatalf("seed %d: gave a test %v, and says %+v", seed, ok, s.Now)
			}
			if ok {
				m.Dialogue.Outcome(test, w.see(m, test), 1, now)
				continue
			}
			if waits := slices.ContainsFunc(s.Now.Left, func(l lifecycle.Left) bool {
				return l.Why == forms.Waits || l.Why == "" || l.Rules == 0 || l.Example == ""
			}); waits ||
				rest == lifecycle.NoRest && (s.Open > 0 || s.Now.Why == lifecycle.Kept) || rest > lifecycle.NoRest && s.Open > 0 && s.Now.Why != lifecycle.Kept {
				t.Fatalf("seed %d: %d candidates, rest %d, and nothing is tried: %+v", seed, s.Open, rest, s.Now)
			}
			now += int64(random.IntN(book.Hour))
		}
	}
	if seen[lifecycle.Kept] == 0 || seen[lifecycle.Unable] == 0 || seen[lifecycle.Trying] == 0 {
		t.Errorf("seen: %v", seen)
	}
	t.Logf("seen: %v", seen)
}

// A rule that is not tried has gain and pairs counted without an index.
func TestShortfall(t *testing.T) {
	w := noTown()
	random := rand.New(rand.NewPCG(1, 5))
	for i := range 60 {
		w.Pages = append(w.Pages, evidence.Page{URL: fmt.Sprintf("/%c/%d", 'a'+rune(random.IntN(5)), i/2)})
	}
	w.Pages = slices.CompactFunc(slices.SortedFunc(slices.Values(w.Pages), func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) }), func(a, b evidence.Page) bool { return a.URL == b.URL })
	o := madeup.Options()
	whys := map[forms.Untried]int{}
	for _, from := range "abcde" {
		for _, to := range "abcde" {
			r := rule.Rule{Edit: rule.Substring{From: fmt.Sprintf("/%c/", from), To: fmt.Sprintf("/%c/", to), AtStart: true}}
			if from == to {
				continue
			}
			pairs, gain := 0, 0
			for i := range w.Pages {
				if rest, ok := strings.CutPrefix(w.Pages[i].URL, r.Sides().From); ok {
					pairs++
					if slices.ContainsFunc(w.Pages, func(p evidence.Page) bool { return p.URL == r.Sides().To+rest }) {
						gain++
					}
				}
			}
			want := forms.Shortfall{Why: forms.Waits}
			switch {
			case gain < o.MinGain:
				want = forms.Shortfall{Why: forms.LittleGain, Number: gain, Needed: o.MinGain}
			case pairs < o.Trial.Minimum:
				want = forms.Shortfall{Why: forms.FewPairs, Number: pairs, Needed: o.Trial.Minimum}
			}
			m := given(o, w, r)
			m.Next(1)
			l := m.Answers.Detail(lifecycle.Query{Likely: []rule.Rule{r}}, 1).Likely[0]
			if got := (forms.Shortfall{Why: l.Untried, Number: l.Number, Needed: l.Needed}); got != want {
				t.Errorf("%s: %+v, want %+v", r.Words(), got, want)
			}
			whys[want.Why]++
		}
	}
	if len(whys) < 2 {
		t.Errorf("reasons: %v", whys)
	}
}

// The state that gives a look fits the look's purpose, and an idle machine is in no state.
func TestStates(t *testing.T) {
	fits := func(p lifecycle.Purpose, state string) bool {
		switch p {
		case lifecycle.SetTrial:
			return strings.HasPrefix(state, "publish") || state == "show the limit of the set"
		case lifecycle.Recheck, lifecycle.SetRecheck:
			return state == "recheck"
		case lifecycle.Report:
			return state == "report"
		}
		return state == "try"
	}
	w := newTown(40)
	m := w.machine(madeup.Options())
	met := map[lifecycle.Purpose]bool{}
	see := func(look lifecycle.Look) {
		if met[look.Purpose] = true; !fits(look.Purpose, lifecycle.StateOf(m)) {
			t.Errorf("%s: in the state %q", look.Purpose, lifecycle.StateOf(m))
		}
	}
	now := w.live(m, 1, see)
	if _, err := m.Reports.Propose("/b/p3.html", "", "", false, now); err != nil {
		t.Fatal(err)
	}
	if w.live(m, now, see); !met[lifecycle.Trial] || !met[lifecycle.SetTrial] || !met[lifecycle.Report] || lifecycle.StateOf(m) != "" {
		t.Errorf("met %v, and ended in the state %q", met, lifecycle.StateOf(m))
	}
}
