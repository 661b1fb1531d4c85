package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The gain of a rule is compared with canonizing everything twice and counting. The choice
// of the best candidate is compared with computing every worth.
func TestChoose(t *testing.T) {
	w := newTown(25)
	for i := range 12 {
		w.add(fmt.Sprintf("/a/p%d.html?", i), fmt.Sprint("page ", i), int64(1000+37*i))
		w.add(fmt.Sprintf("/late/1/%d", i), "", int64(90_000+5000*i))
		w.add(fmt.Sprintf("/late/2/%d", i), "", int64(190_000+5000*i))
	}
	m := w.machine(townOptions())
	rng := rand.New(rand.NewPCG(1, 9))
	var more []candidate
	for i, r := range []rule.Rule{
		{From: "a", To: "zz"}, {From: "p1", To: "p2"}, {From: "list", To: "a"}, {From: "", To: "x", AtEnd: true}, {From: ".", To: "..x"},
		{Kind: rule.Drop, Param: "sort"}, {Kind: rule.Set, Param: "sort", Value: "new"}, {Kind: rule.Set, Param: "sid", Value: "7"},
		{From: "d", To: "c", AtStart: false}, {From: "/d/", To: "/c/"}, {From: "/d/", To: "/e/"}, {From: "b", To: "c"},
		{Kind: rule.Drop, Param: "sid", Scope: rule.Scope{Path: "/list/7", HasPath: true}},
		{From: "html", To: "htm", AtEnd: true, Scope: rule.Scope{Prefix: "/c/"}},
		{Kind: rule.Syntax, Form: rule.EmptyQuery}, {Kind: rule.Syntax, Form: rule.Case},
		{From: "/late/1", To: "/late/2"}, {Kind: rule.Drop, Param: "sort", Scope: rule.Scope{Prefix: "/list/"}},
	} {
		more = append(more, candidate{id: rule.ID("town", &r), rule: r, support: 3, grounds: grounds(i) % allGrounds, order: 1000 + i, late: i > 15})
	}
	for i := range 5 { // the same gain and bound, several times
		r := rule.Rule{From: "d", To: "c", Scope: rule.Scope{Prefix: "/d/q"[:i]}}
		more = append(more, candidate{id: rule.ID("town", &r), rule: r, support: 3, order: 2000 - i, within: i > 1})
	}
	for i := range 9 { // some of whose pairs are known
		m.book.memory.put(m.book.memory.keys.pair(fmt.Sprintf("/d/q%d.html", i), fmt.Sprintf("/c/q%d.html", i)), result{Looks{Seen: judged(trial.Positive, trial.Similar)}, 1})
	}
	requested := map[string]bool{}
	for i := range w.pages { // some of whose documents are known
		if u := w.pages[i].URL; i%3 == 0 {
			requested[u] = true
			s := judged(trial.Positive, trial.Similar)
			m.book.memory.put(m.book.memory.keys.pair(u, u), result{Looks{Seen: s, URLs: m.book.memory.keys.requested(u, u, &s)}, 1})
		}
	}
	rounds, turns := 0, [2]int{} // of usual and of late candidates
	defer func() {
		if rounds < 4 || slices.Contains(turns[:], 0) {
			t.Errorf("only %v choices were compared", turns)
		}
	}()
	for ; ; rounds++ {
		m.planner.derive(1)
		open := append(m.planner.chooser(1).openCandidates(), more...)
		rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		var best *candidate
		most := 0.0
		for i := range open {
			c := &open[i]
			plain, safe := m.planner.view.forms.moves(&c.rule, m.planner.view.forms.everything())
			if got := m.planner.view.moves(c); !slices.Equal(got, plain) {
				t.Fatalf("%+v: the index finds %d forms of %d", c.rule, len(got), len(plain))
			}
			g := len(m.planner.view.forms.texts) - distinct(m.planner.view.forms, &c.rule)
			if got := m.planner.view.forms.gain(plain); safe && got != g {
				t.Fatalf("%+v gains %d, want %d", c.rule, got, g)
			}
			tried, held, positives := 1/before[c.grounds], 1.0, 0
			for _, e := range m.book.entries {
				if e.Rule.Kind == c.rule.Kind && e.Grounds == c.grounds && !isNarrowed(&e.Rule) {
					tried, held = tried+1, held+1
				}
			}
			chance := held / tried
			if c.within {
				chance = 0.1
				for _, v := range plain {
					if j, _, _ := m.planner.judge(1).known(m.planner.view.forms.rep(v.form), v.to, &rule.Control{}, 0); j.Outcome == trial.Positive {
						positives++
					}
				}
			}
			worth := float64(g) * m.plainChance(c, chance, positives, plain, requested)
			first := best == nil || !c.late && best.late || c.late == best.late && (worth > most ||
				worth == most && c.order < best.order)
			if len(plain) >= m.book.o.Trial.Minimum && g >= m.book.o.MinGain && first {
				best, most = c, worth
			}
		}
		got, ok := m.planner.chooser(1).choose(open)
		if best == nil {
			if ok {
				t.Fatalf("%+v is chosen, and nothing gains", got)
			}
			return
		}
		if !ok || got.id != best.id {
			t.Fatalf("%+v is chosen, want %+v with %v", got, *best, most)
		}
		if got.late {
			turns[1]++
		} else {
			turns[0]++
		}
		more = slices.DeleteFunc(more, func(c candidate) bool { return c.id == got.id })
		m.planner.do(Act{Rule: &Entry{ID: got.id, Rule: got.rule, Grounds: got.grounds, State: rule.Valid, Rank: m.book.lastRank() + 1, Verdict: rule.Verdict{Samples: 60}}})
	}
}

// plainChance returns the chance that a candidate holds, for each document that the trial of
// the candidate is expected to request.
func (m *Machine) plainChance(c *candidate, chance float64, positives int, moves []move, requested map[string]bool) float64 {
	j := m.planner.judge(1)
	blank := j
	blank.book = newBook(m.book.site, m.book.o, m.book.memory.keys)
	a := newAttempt(blank, *c, m.planner.view.forms, moves, 0, nil)
	enough := m.book.o.Trial.Enough(a.tally.Sum().Pairs)
	var costs []float64
	for range enough {
		p := a.draw()
		if p == nil {
			break
		}
		_, known := j.book.memory.recent(p.key, 1)
		switch cost := 0.25; {
		case !known:
			for _, u := range []string{p.u, p.v} {
				if !requested[u] {
					cost++
				}
			}
			costs = append(costs, cost)
		case !c.within:
			costs = append(costs, cost)
		}
	}
	if enough = len(costs); c.within {
		enough = max(1, m.book.o.Trial.Enough(len(moves))-positives)
	}
	for len(costs) < enough {
		costs = append(costs, 2.25)
	}
	share := float64(positives + 1)
	holds, sum := chance/(chance+(1-chance)/share), 0.0
	for i, cost := range costs[:enough] {
		sum += cost * (holds + (1-holds)*share/(share+float64(i)))
	}
	return holds / max(sum, 0.01)
}

// The greatest worth comes first, then the order of the list. Late candidates come last.
func TestCandidateOrder(t *testing.T) {
	for _, c := range []struct{ first, second bound }{
		{bound{3, &candidate{order: 9}}, bound{2, &candidate{order: 1}}},
		{bound{2, &candidate{order: 1}}, bound{2, &candidate{order: 9}}},
		{bound{1, &candidate{order: 9}}, bound{2, &candidate{order: 1, late: true}}},
	} {
		if c.first.compare(c.second) >= 0 || c.second.compare(c.first) <= 0 {
			t.Errorf("%+v of %+v does not come before %+v of %+v", c.first, *c.first.c, c.second, *c.second.c)
		}
	}
}

// A narrowed scope was chosen because the scope had no negative. Once the scope has a confirmed
// negative, narrower scopes replace the scope at once, at no cost. A negative that needs a second
// look lets others come first.
func TestChooseToGiveUp(t *testing.T) {
	w := newTown(40)
	m := w.machine(townOptions())
	m.planner.derive(1)
	good, bad := rule.Rule{From: "/b/", To: "/a/", AtStart: true}, rule.Rule{From: "/d/", To: "/c/", AtStart: true, Scope: rule.Scope{Prefix: "/d/q"}}
	open := []candidate{{id: "1", rule: good}, {id: "2", rule: bad, within: true}}
	put := func(o trial.Outcome, at int) {
		m.book.memory.put(m.book.memory.keys.pair(fmt.Sprintf("/d/q%d.html", at), fmt.Sprintf("/c/q%d.html", at)), result{Looks{Seen: judged(o, trial.Different)}, 1})
	}
	if c, _ := m.planner.chooser(1).choose(open); c.id != "1" {
		t.Errorf("chosen %+v: the order decides among equals", c)
	}
	put(trial.Positive, 1)
	put(trial.Negative, 2)
	if c, _ := m.planner.chooser(1).choose(open); c.id != "1" {
		t.Errorf("chosen %+v, with a negative in doubt", c)
	}
	m.book.memory.put(m.book.memory.keys.pair("/d/q2.html", "/c/q2.html"), seenTwice(trial.Negative, trial.Different, 1))
	if c, _ := m.planner.chooser(1).choose(open); c.id != "2" {
		t.Errorf("chosen %+v", c)
	}
}

// distinct returns the number of forms of the forms under L with one more rule.
func distinct(f *forms, r *rule.Rule) int {
	c, all := compile(with(f.rules, *r)), map[string]bool{}
	for _, text := range f.texts {
		out, _ := c.Canon(nil, []byte(text))
		all[string(out)] = true
	}
	return len(all)
}

// A rule that leaves a URL of a new window without a form is taken out of L. The other
// rules stay.
func TestUnsafeLeaves(t *testing.T) {
	m := New("", townOptions())
	for i, r := range []rule.Rule{{From: "b", To: "a"}, {From: ".", To: "..x"}, {From: "c", To: "a"}} {
		m.Restore(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1}})
	}
	m.Load(NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}, {URL: "/c"}}), nil)
	m.planner.derive(1)
	if len(m.planner.view.list) != 3 || len(m.planner.view.forms.texts) != 1 {
		t.Fatalf("%d rules, forms %q", len(m.planner.view.list), m.planner.view.forms.texts)
	}
	m.Load(NewWindow([]evidence.Page{{URL: "/b"}, {URL: "/c"}, {URL: "/.a"}}), nil)
	m.planner.derive(2)
	if len(m.planner.view.list) != 2 || m.planner.view.list[0].Rule.From != "b" || m.planner.view.list[1].Rule.From != "c" || m.Status().States[rule.Undecided] != 1 {
		t.Errorf("left: %s", words(rulesOf(m.planner.view.list)))
	}
}

// A valid verdict on a rule that would leave some URL without a form becomes a refutation.
func TestUnsafeIsRefuted(t *testing.T) {
	m := New("", townOptions())
	m.Load(NewWindow([]evidence.Page{{URL: "/.a"}}), nil)
	m.planner.derive(1)
	r := rule.Rule{From: ".", To: "..x"}
	m.planner.decide(&attempt{c: candidate{id: rule.ID("", &r), rule: r}}, trial.Valid, 1)
	if e := m.book.entries[rule.ID("", &r)]; e.State != rule.Refuted || e.Verdict.Reason != byUnsafe {
		t.Errorf("%+v", e)
	}
}

// A pair of the set counts as one more negative, unless the pair is one of the rule's
// pairs.
func TestNegativeOfSet(t *testing.T) {
	a := &attempt{}
	a.pairs[trial.Near] = []tryPair{{pair: pair{u: "/a", v: "/b"}}}
	a.tally.Strata[trial.Near].Pairs = 1
	a.negative(rule.Example{U: "/a", V: "/b"})
	a.negative(rule.Example{U: "/a", V: "/c"})
	if sum := a.tally.Sum(); sum.Pairs != 2 || sum.Negatives != 1 {
		t.Errorf("%+v", sum)
	}
}

// An outcome counts for its term, and a skip for a shorter term. The reversed pair counts
// only if both documents were compared.
func TestOutcomeCounts(t *testing.T) {
	m := New("", townOptions())
	put := func(u, v string, o trial.Outcome, r trial.Reason) {
		m.book.memory.put(m.book.memory.keys.pair(u, v), result{Looks{Seen: judged(o, r)}, 100})
	}
	put("/a", "/b", trial.Positive, trial.Similar)
	put("/a", "/c", trial.Negative, trial.Missing)
	put("/a", "/d", trial.Skip, trial.NoAnswer)
	for _, c := range []struct {
		u, v       string
		since, now int64
		want       bool
	}{
		{"/a", "/b", 0, 100, true}, {"/b", "/a", 0, 100, true}, {"/a", "/b", 101, 102, false}, {"/b", "/a", 101, 102, false},
		{"/a", "/b", 0, 100 + 7*day - 1, true}, {"/a", "/b", 0, 100 + 7*day, false},
		{"/a", "/c", 0, 100, true}, {"/c", "/a", 0, 100, false}, {"/a", "/e", 0, 100, false},
		{"/a", "/d", 0, 100 + day - 1, true}, {"/a", "/d", 0, 100 + day, false}, {"/d", "/a", 0, 100, false},
	} {
		if _, got := m.book.memory.known(c.u, c.v, c.since, c.now); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestForms(t *testing.T) {
	page := func(u string) evidence.Page { return evidence.Page{URL: u} }
	w := NewWindow([]evidence.Page{page("/b/2"), page("/a/1"), page("/b/1"), page("/c/3"), page("/b/1")})
	f := formsOf(w, []rule.Rule{{From: "b", To: "a"}, {From: "c", To: "a"}})
	if !slices.Equal(f.texts, []string{"/a/1", "/a/2", "/a/3"}) || w.Len() != 4 {
		t.Fatalf("forms %q of %d URLs", f.texts, w.Len())
	}
	for n, want := range []string{"/a/1", "/b/2", "/c/3"} {
		if f.rep(int32(n)) != want {
			t.Errorf("%s is represented by %s, want %s", f.texts[n], f.rep(int32(n)), want)
		}
	}
}

// If a form is listed, the form represents itself, even if another of the form's URLs comes
// first.
func TestRepresentative(t *testing.T) {
	f := formsOf(NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}}), []rule.Rule{{From: "a", To: "b"}})
	if len(f.texts) != 1 || f.rep(0) != "/b" {
		t.Errorf("%q stands for %q", f.rep(0), f.texts)
	}
}

func TestNarrowed(t *testing.T) {
	a := &attempt{}
	try := func(u string, o trial.Outcome, times int) {
		for range times {
			a.pairs[0] = append(a.pairs[0], tryPair{pair: pair{form: u, v: strings.Replace(u, "x", "", 1)}, outcome: trial.Judgement{Outcome: o}})
		}
	}
	try("/good/page/x?1", trial.Positive, 10)
	try("/mixed/sx", trial.Positive, 12)
	try("/mixed/ax?k=1", trial.Positive, 4)
	try("/mixed/ax?k=1", trial.Negative, 1)
	try("/mixed/ax/b/x", trial.Positive, 4)
	try("/few/x", trial.Positive, 4)
	try("/skips/x", trial.Skip, 30)
	scopes := func(r rule.Rule) (all []rule.Scope) {
		for _, n := range narrowed(&r, a) {
			all = append(all, n.Scope)
			n.Scope = r.Scope
			if n != r {
				t.Errorf("%+v is not %+v", n, r)
			}
		}
		return all
	}
	path := func(p string) rule.Scope { return rule.Scope{Path: p, HasPath: true} }
	got := scopes(rule.Rule{From: "x"})
	want := []rule.Scope{path("/mixed/sx"), {Prefix: "/good"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := scopes(rule.Rule{From: "x", Scope: want[1]}); slices.Contains(got, want[1]) {
		t.Errorf("narrowed to itself: %+v", got)
	}
	if got := scopes(rule.Rule{From: "x", Scope: path("/mixed/sx")}); len(got) > 0 {
		t.Errorf("a path narrowed to %+v", got)
	}
}

// A drop is narrowed to the pages with a parameter, or with a value of a parameter, even if
// those pages are outside the drop's own scope.
func TestNarrowedByParameter(t *testing.T) {
	r := rule.Rule{Kind: rule.Drop, Param: "n", Scope: rule.Scope{Where: rule.Where("a", "blob")}}
	a := &attempt{c: candidate{rule: r}}
	try := func(u string, o trial.Outcome, times int) {
		for i := range times {
			form := u + "&i=" + string(rune('a'+i))
			a.pairs[0] = append(a.pairs[0], tryPair{pair: pair{form: form, v: strings.Replace(form, "&n=1", "", 1)}, outcome: trial.Judgement{Outcome: o}})
			a.tally.Add(0, o, 1)
		}
	}
	try("/w?a=blob&n=1&b=2", trial.Positive, 20)
	try("/w?a=blob&n=1", trial.Negative, 1)
	got := narrowed(&r, a)
	want := rule.Scope{Path: "/w", HasPath: true, Where: rule.With("b")}
	if !slices.ContainsFunc(got, func(n rule.Rule) bool { return n.Scope == want }) {
		t.Errorf("%+v lacks %+v", got, want)
	}
	for _, n := range got {
		if n.Scope.Where[0].Param == "a" || n.Scope == (rule.Scope{}) {
			t.Errorf("it did not hold in %+v", n.Scope)
		}
	}
	if !keeps(a) {
		t.Error("all positives are kept, and it is not narrowed")
	}
	try("/w?a=blob&n=1&c=2", trial.Positive, 4)
	if keeps(a) {
		t.Error("a sixth of the positives is lost by narrowing")
	}
	a.c.within = true
	if !keeps(a) {
		t.Error("a narrowed rule with a negative is not narrowed again")
	}
	a.tally.Strata[0].Negatives = 0
	if keeps(a) {
		t.Error("a rule without a negative is narrowed")
	}
}

func TestWithin(t *testing.T) {
	scope := func(prefix, path, param string) rule.Scope {
		return rule.Scope{Prefix: prefix, Path: path, HasPath: path != "", Where: rule.With(param)}
	}
	for _, c := range []struct {
		s, wide rule.Scope
		want    bool
	}{
		{scope("/a/b", "", ""), scope("/a", "", ""), true},
		{scope("/a", "", ""), scope("/a/b", "", ""), false},
		{scope("/a", "", ""), scope("/a", "", ""), false},
		{scope("", "/a/b", ""), scope("/a", "", ""), true},
		{scope("", "/b", ""), scope("/a", "", ""), false},
		{scope("", "/a", "n"), scope("", "/a", ""), true},
		{scope("/a", "", ""), scope("", "", "n"), false},
	} {
		if got := within(&c.s, &c.wide); got != c.want {
			t.Errorf("%+v within %+v: %v", c.s, c.wide, got)
		}
	}
}

// If a page repeats its URL k times, the size grows by k times the difference of the
// lengths.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		longer, shorter int64
		url             string
		want            bool
	}{
		{1000 + 7*10, 1000, "/p?n=abcdefgh&i=1", true}, // n=abcdefgh& is 11 bytes
		{1000 + 7*11, 1000, "/p?n=abcdefgh&i=1", true},
		{1000, 1000, "/p?n=abcdefgh&i=1", false},      // within the tolerance
		{1000, 1000 + 11, "/p?n=abcdefgh&i=1", false}, // the wrong sign
		{1000 + 4*5, 1000, "/p?n=a&i=1", false},       // the difference is too short to be evidence
	} {
		m := New("", townOptions())
		m.Load(NewWindow([]evidence.Page{
			{URL: c.url, Evidence: evidence.Spans{{Min: c.longer, Max: c.longer}}},
			{URL: "/p?i=1", Evidence: evidence.Spans{{Min: c.shorter, Max: c.shorter}}},
		}), nil)
		m.planner.derive(1)
		a, b := m.planner.view.forms.number[c.url], m.planner.view.forms.number["/p?i=1"]
		want := c.want && (c.longer-c.shorter)%11 == 0
		if got := repeats(m.planner.view.forms.page(a), m.planner.view.forms.page(b)); got != want || repeats(m.planner.view.forms.page(b), m.planner.view.forms.page(a)) != want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// On a site whose pages repeat their URLs, the sizes reveal the drop, and no tolerance
// does.
func TestDrops(t *testing.T) {
	var pages []evidence.Page
	for i := range 5 {
		id, size := string(rune('a'+i)), int64(1000+100*i)
		long := size + int64(i+3)*int64(len("n=abcdefgh&"))*9
		pages = append(pages, evidence.Page{URL: "/p?i=" + id, Evidence: evidence.Spans{{Min: size, Max: size}}},
			evidence.Page{URL: "/p?n=abcdefgh&i=" + id, Evidence: evidence.Spans{{Min: long, Max: long}}})
	}
	m := New("", townOptions())
	m.Load(NewWindow(pages), nil)
	m.planner.derive(1)
	if len(m.planner.view.drops) != 1 || m.planner.view.drops[0].rule != (rule.Rule{Kind: rule.Drop, Param: "n"}) || m.planner.view.drops[0].support != 5 {
		t.Errorf("%+v, want to drop n, five times", m.planner.view.drops)
	}
}

// The narrower scopes of a drop are the scopes where the parameter has no effect by the
// sizes.
func TestNarrower(t *testing.T) {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	for i := range 8 {
		id := string(rune('a' + i))
		for k, n := range []string{"1", "2"} {
			w.add("/same?n="+n+"&id="+id, "x", 1000)
			w.add("/other?n="+n+"&id="+id, "x", int64(1000+500*k))
			w.add("/other?n="+n+"&kind=print&id="+id, "x", 1000)
		}
	}
	m := w.machine(townOptions())
	m.planner.derive(1)
	var got []rule.Scope
	for _, r := range m.planner.view.finder().narrower(&rule.Rule{Kind: rule.Drop, Param: "n"}) {
		got = append(got, r.Scope)
	}
	want := []rule.Scope{
		{Path: "/same", HasPath: true},
		{Where: rule.Where("kind", "print")},
		{Path: "/other", HasPath: true, Where: rule.With("kind")},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if v, ok := m.planner.view.finder().usual(&rule.Rule{Kind: rule.Drop, Param: "n"}); !ok || v != "1" {
		t.Errorf("usual value %q %v", v, ok)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := newMemory(&Options{MaxPairs: 10}, nil)
	for i := range uint64(1000) {
		m.put(key{i % 37, 0}, result{at: int64(i)})
		if len(m.results) > 10 || len(m.queue) > 40 {
			t.Fatalf("%d results, %d in the queue", len(m.results), len(m.queue))
		}
	}
	for i := range uint64(10) {
		if _, ok := m.results[key{(999 - i) % 37, 0}]; !ok {
			t.Errorf("the pair tried %d before the last is forgotten", i)
		}
	}
}

// The memory for pairs of controls is bounded, and pairs of controls displace no pairs of
// rules.
func TestMixedPairsAreBounded(t *testing.T) {
	m := newMemory(&Options{MaxPairs: 1 << 20}, nil)
	m.put(key{1, 1}, result{at: 1})
	for i := range uint64(3 * mostMixedKept) {
		m.put(key{i, 0}, result{Looks{Mixed: true}, int64(i)})
		m.put(key{7, 0}, result{Looks{Mixed: i%2 == 0}, int64(i)}) // alternately of a control and of a rule
	}
	if _, ok := m.results[key{1, 1}]; !ok || m.mixed > mostMixedKept || len(m.results) > mostMixedKept+2 || len(m.queueMixed) > 2*mostMixedKept {
		t.Errorf("%d results, %d of controls, %d in their queue", len(m.results), m.mixed, len(m.queueMixed))
	}
	if n := m.tried(); n != 2 {
		t.Errorf("%d pairs of rules", n)
	}
}

func TestVerdictsAreBounded(t *testing.T) {
	o := townOptions()
	o.MaxTried, o.MaxRules = 20, 5
	m := New("", o)
	for i := range 200 {
		r := rule.Rule{From: "a", To: string(rune('b' + i))}
		state := rule.Refuted
		if i < 5 {
			state = rule.Valid
		}
		m.Restore(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: state, Verdict: rule.Verdict{Time: int64(i)}}})
	}
	if n := len(m.book.entries); n > 25 || len(m.book.valid()) != 5 {
		t.Errorf("%d verdicts, %d rules", n, len(m.book.valid()))
	}
}

func TestIDsDiffer(t *testing.T) {
	seen := map[string]rule.Rule{}
	for _, r := range []rule.Rule{
		{From: "a", To: "b"}, {From: "b", To: "a"}, {From: "a", To: "b", AtStart: true}, {From: "a", To: "b", AtEnd: true},
		{From: "a", To: "b", Scope: rule.Scope{Prefix: "/x/"}}, {From: "a", To: ""}, {From: "", To: "a"},
		{Kind: rule.Drop, Param: "a"}, {Kind: rule.Set, Param: "a"}, {Kind: rule.Set, Param: "a", Value: "b"},
		{Kind: rule.Drop, Param: "a", Scope: rule.Scope{HasPath: true}},
		{Kind: rule.Drop, Param: "a", Scope: rule.Scope{Where: rule.Where("m", "")}},
		{Kind: rule.Drop, Param: "a", Scope: rule.Scope{HasPath: true, Where: rule.With("m")}},
	} {
		for _, site := range []string{"", "s"} {
			id := rule.ID(site, &r)
			if other, twice := seen[id]; twice {
				t.Errorf("%+v and %+v have one id", r, other)
			}
			seen[id] = r
		}
	}
	if id := rule.ID("example.org", &rule.Rule{From: "/index.html", To: "/", AtEnd: true}); id != "dca6cfb58491b26132fb" {
		t.Errorf("the id of a rule is %s: it must be the same in every release", id)
	}
}

// Every valid rule survives encoding and decoding.
func FuzzWire(f *testing.F) {
	f.Add(uint8(0), "/index.html", "/", true, false, "", "", "", "/w/", false)
	f.Add(uint8(1), "", "", false, false, "sid", "/p", "a", "", true)
	f.Fuzz(func(t *testing.T, kind uint8, a, b string, start, end bool, param, path, name, prefix string, has bool) {
		r := rule.Rule{Kind: rule.Kind(kind % 3), From: a, To: b, AtStart: start, AtEnd: end, Param: param, Value: path,
			Scope: rule.Scope{Path: path, HasPath: has, Prefix: prefix, Where: [2]rule.Condition{{Param: name, Value: a, HasValue: has && !start}}}}
		if r.Validate() != nil {
			return
		}
		e := recode(t, Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r}}).Rule
		if e.Rule != r || rule.ID("", &e.Rule) != e.ID {
			t.Fatalf("%+v becomes %+v", r, e.Rule)
		}
	})
}

// Damaged acts are errors, or are acts without harm.
func FuzzDecode(f *testing.F) {
	a := Act{Pair: &PairAct{Key: key{1, 2}, Looks: Looks{Seen: judged(trial.Positive, trial.Similar)}, At: 5}}
	f.Add(a.Encode())
	a = Act{Rule: &Entry{ID: "x", Rule: rule.Rule{From: "a", To: "b"}, State: rule.Valid, Rank: 1}}
	f.Add(a.Encode())
	f.Add([]byte(`{"v":3,"pair":{"k":"00"}}`))
	f.Add([]byte(`{"v":3,"rule":{"state":"valid"}}`))
	f.Add([]byte(`{"v":3,"rule":{"state":"refuted","rule":{"kind":"parameter","op":"drop","params":["a"],"scope":{}},"followers":[null]}}`))
	f.Add([]byte(`{"v":3,"learnt":{"at":1,"stage":1,"list":"","window":0,"rules":[{"support":9}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		act, err := Decode(b)
		if err != nil {
			return
		}
		m := New("", townOptions())
		m.Restore(act)
		m.Load(NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}}), nil)
		m.Next(1)
	})
}

// A rule with a path is narrowed by the text after the path.
func TestNarrowedWithinPath(t *testing.T) {
	r := rule.Rule{Kind: rule.Drop, Param: "h", Scope: rule.Scope{Path: "/w", HasPath: true}}
	p := &tryPair{pair: pair{form: "/w?p=mux;h=1", v: "/w?p=mux"}}
	all := places(&r, p)
	want := r.Scope
	want.Prefix = "/w?p=mux"
	if !all[want] {
		t.Errorf("%+v lacks %+v", all, want)
	}
	for s := range all {
		if s.Prefix == "/w" || s.Prefix == "/" {
			t.Errorf("%+v is no narrower", s)
		}
	}
}

// Negatives found by the set are known when the rule is narrowed.
func TestSentIsNarrowed(t *testing.T) {
	r := rule.Rule{From: "x", To: "y"}
	a := &attempt{c: candidate{rule: r}}
	for range 10 {
		a.pairs[0] = append(a.pairs[0], tryPair{pair: pair{form: "/good/x", v: "/good/y"}, outcome: trial.Judgement{Outcome: trial.Positive}},
			tryPair{pair: pair{form: "/bad/x", v: "/bad/y"}, outcome: trial.Judgement{Outcome: trial.Positive}})
		a.tally.Add(0, trial.Positive, 2)
	}
	a.negative(rule.Example{U: "/bad/x?1", V: "/z?1"})
	for _, n := range narrowed(&r, a) {
		if strings.HasPrefix(beginning(&n.Scope), "/bad") && n.Scope.Path != "/bad/x" {
			t.Errorf("narrowed to %+v", n.Scope)
		}
	}
	if len(narrowed(&r, a)) == 0 {
		t.Error("not narrowed")
	}
}
