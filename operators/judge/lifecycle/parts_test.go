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

// The gain of a rule is compared with canonizing everything twice and counting. The choice
// of the best candidate is compared with computing every worth.
func TestChoose(t *testing.T) {
	w := newTown(25)
	for i := range 12 {
		w.Add(fmt.Sprintf("/a/p%d.html?", i), fmt.Sprint("page ", i), int64(1000+37*i))
		w.Add(fmt.Sprintf("/late/1/%d", i), "", int64(90_000+5000*i))
		w.Add(fmt.Sprintf("/late/2/%d", i), "", int64(190_000+5000*i))
	}
	m := w.machine(madeup.Options())
	rng := rand.New(rand.NewPCG(1, 9))
	var more []book.Candidate
	for i, r := range []rule.Rule{
		{Edit: rule.Substring{From: "a", To: "zz"}}, {Edit: rule.Substring{From: "p1", To: "p2"}}, {Edit: rule.Substring{From: "list", To: "a"}}, {Edit: rule.Substring{From: "", To: "x", AtEnd: true}}, {Edit: rule.Substring{From: ".", To: "..x"}},
		{Edit: rule.Drop{Param: "sort"}}, {Edit: rule.Set{Param: "sort", Value: "new"}}, {Edit: rule.Set{Param: "sid", Value: "7"}},
		{Edit: rule.Substring{From: "d", To: "c", AtStart: false}}, {Edit: rule.Substring{From: "/d/", To: "/c/"}}, {Edit: rule.Substring{From: "/d/", To: "/e/"}}, {Edit: rule.Substring{From: "b", To: "c"}},
		{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Path: "/list/7", HasPath: true}},
		{Edit: rule.Substring{From: "html", To: "htm", AtEnd: true}, Scope: rule.Scope{Prefix: "/c/"}},
		{Edit: rule.Syntax{Form: rule.EmptyQuery}}, {Edit: rule.Syntax{Form: rule.Case}},
		{Edit: rule.Substring{From: "/late/1", To: "/late/2"}}, {Edit: rule.Drop{Param: "sort"}, Scope: rule.Scope{Prefix: "/list/"}},
	} {
		more = append(more, book.Candidate{ID: rule.ID("town", &r), Rule: r, Support: 3, Grounds: book.Grounds(i) % book.AllGrounds, Order: 1000 + i, Late: i > 15})
	}
	for i := range 5 { // the same gain and bound, several times
		r := rule.Rule{Edit: rule.Substring{From: "d", To: "c"}, Scope: rule.Scope{Prefix: "/d/q"[:i]}}
		more = append(more, book.Candidate{ID: rule.ID("town", &r), Rule: r, Support: 3, Order: 2000 - i, Within: i > 1})
	}
	for i := range 9 { // some of whose pairs are known
		m.book.Memory.Put(m.book.Memory.Keys.Pair(fmt.Sprintf("/d/q%d.html", i), fmt.Sprintf("/c/q%d.html", i)), book.Result{Looks: book.Looks{Seen: madeup.Judged(trial.Positive, trial.Similar)}, At: 1})
	}
	rounds, turns := 0, [2]int{} // of usual and of late candidates
	defer func() {
		if rounds < 4 || slices.Contains(turns[:], 0) {
			t.Errorf("only %v choices were compared", turns)
		}
	}()
	for ; ; rounds++ {
		m.derive(1)
		open := append(chooserOf(m.life, 1).openCandidates(), more...)
		rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		var best *book.Candidate
		most := 0.0
		for i := range open {
			c := &open[i]
			plain, safe := m.view.Forms.Moves(&c.Rule, m.view.Forms.Everything())
			if got := m.view.Moves(c); !slices.Equal(got, plain) {
				t.Fatalf("%+v: the index finds %d forms of %d", c.Rule, len(got), len(plain))
			}
			g := len(m.view.Forms.Texts) - distinct(m.view.Forms, &c.Rule)
			if got := m.view.Forms.Gain(plain); safe && got != g {
				t.Fatalf("%+v gains %d, want %d", c.Rule, got, g)
			}
			tried, held, positives := 1/book.Before[c.Grounds], 1.0, 0
			for _, e := range m.book.Entries {
				if e.Rule.Kind() == c.Rule.Kind() && e.Grounds == c.Grounds && !book.IsNarrowed(&e.Rule) {
					tried, held = tried+1, held+1
				}
			}
			chance := held / tried
			if c.Within {
				chance = 0.1
				for _, v := range plain {
					if j, _, _ := m.judge(1).Known(m.view.Forms.Rep(v.Form), v.To, &rule.Control{}, 0); j.Outcome == trial.Positive {
						positives++
					}
				}
			}
			worth := float64(g) * m.plainChance(c, chance, positives, plain)
			first := best == nil || !c.Late && best.Late || c.Late == best.Late && (worth > most ||
				worth == most && c.Order < best.Order)
			if len(plain) >= m.book.Options.Trial.Minimum && g >= m.book.Options.MinGain && first {
				best, most = c, worth
			}
		}
		got, ok := chooserOf(m.life, 1).choose(open)
		if best == nil {
			if ok {
				t.Fatalf("%+v is chosen, and nothing gains", got)
			}
			return
		}
		if !ok || got.ID != best.ID {
			t.Fatalf("%+v is chosen, want %+v with %v", got, *best, most)
		}
		if got.Late {
			turns[1]++
		} else {
			turns[0]++
		}
		more = slices.DeleteFunc(more, func(c book.Candidate) bool { return c.ID == got.ID })
		m.do(book.Act{Rule: &book.Entry{ID: got.ID, Rule: got.Rule, Grounds: got.Grounds, State: rule.Valid, Rank: m.book.LastRank() + 1, Verdict: rule.Verdict{Samples: 60}}})
	}
}

// plainChance returns the chance that a candidate holds, for each document that its trial is expected
// to request.
func (m *Machine) plainChance(c *book.Candidate, chance float64, positives int, moves []forms.Move) float64 {
	j := m.judge(1)
	blank := j
	blank.Book = book.New(m.book.Site, m.book.Options, m.book.Memory.Keys)
	a := trials.New(blank, *c, m.view.Forms, moves, 0, nil)
	enough := min(m.book.Options.Trial.Enough(a.Tally.Sum().Pairs), m.book.Options.Trial.First)
	var costs []float64
	for range enough {
		p := a.Draw()
		if p == nil {
			break
		}
		_, known := j.Book.Memory.Recent(p.Key, 1)
		if !known {
			costs = append(costs, 2.25)
		} else if !c.Within {
			costs = append(costs, 0.25)
		}
	}
	if enough = len(costs); c.Within {
		enough = min(max(1, m.book.Options.Trial.Enough(len(moves))-positives), m.book.Options.Trial.First)
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
		{bound{worth: 3, c: &book.Candidate{Order: 9}}, bound{worth: 2, c: &book.Candidate{Order: 1}}},
		{bound{worth: 2, c: &book.Candidate{Order: 1}}, bound{worth: 2, c: &book.Candidate{Order: 9}}},
		{bound{worth: 1, c: &book.Candidate{Order: 9}}, bound{worth: 2, c: &book.Candidate{Order: 1, Late: true}}},
	} {
		if c.first.compare(c.second) >= 0 || c.second.compare(c.first) <= 0 {
			t.Errorf("%+v of %+v does not come before %+v of %+v", c.first, *c.first.c, c.second, *c.second.c)
		}
	}
}

// A narrowed scope was chosen because it had no negative. Once it has a confirmed one, narrower scopes
// replace it at once, at no cost. A negative that needs a second look lets others come first.
func TestChooseToGiveUp(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	good, bad := rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}, rule.Rule{Edit: rule.Substring{From: "/d/", To: "/c/", AtStart: true}, Scope: rule.Scope{Prefix: "/d/q"}}
	open := []book.Candidate{{ID: "1", Rule: good}, {ID: "2", Rule: bad, Within: true}}
	put := func(o trial.Outcome, at int) {
		m.book.Memory.Put(m.book.Memory.Keys.Pair(fmt.Sprintf("/d/q%d.html", at), fmt.Sprintf("/c/q%d.html", at)), book.Result{Looks: book.Looks{Seen: madeup.Judged(o, trial.Different)}, At: 1})
	}
	if c, _ := chooserOf(m.life, 1).choose(open); c.ID != "1" {
		t.Errorf("chosen %+v: the order decides among equals", c)
	}
	put(trial.Positive, 1)
	put(trial.Negative, 2)
	if c, _ := chooserOf(m.life, 1).choose(open); c.ID != "1" {
		t.Errorf("chosen %+v, with a negative in doubt", c)
	}
	m.book.Memory.Put(m.book.Memory.Keys.Pair("/d/q2.html", "/c/q2.html"), madeup.SeenTwice(trial.Negative, trial.Different, 1))
	if c, _ := chooserOf(m.life, 1).choose(open); c.ID != "2" {
		t.Errorf("chosen %+v", c)
	}
}

// distinct returns the number of forms of the forms under L with one more rule.
func distinct(f *forms.Forms, r *rule.Rule) int {
	c, all := forms.Compile(forms.With(f.Rules, *r)), map[string]bool{}
	for _, text := range f.Texts {
		out, _ := c.Canon(nil, []byte(text))
		all[string(out)] = true
	}
	return len(all)
}

// A rule that leaves a URL of a new window without a form is taken out of L. The other
// rules stay.
func TestUnsafeLeaves(t *testing.T) {
	m := New("", madeup.Options())
	for i, r := range []rule.Rule{{Edit: rule.Substring{From: "b", To: "a"}}, {Edit: rule.Substring{From: ".", To: "..x"}}, {Edit: rule.Substring{From: "c", To: "a"}}} {
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: i + 1}})
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}, {URL: "/c"}}), nil)
	m.derive(1)
	if len(m.view.List) != 3 || len(m.view.Forms.Texts) != 1 {
		t.Fatalf("%d rules, forms %q", len(m.view.List), m.view.Forms.Texts)
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/b"}, {URL: "/c"}, {URL: "/.a"}}), nil)
	m.derive(2)
	if len(m.view.List) != 2 || m.view.List[0].Rule.Sides().From != "b" || m.view.List[1].Rule.Sides().From != "c" || m.Answers.Status().States[rule.Undecided] != 1 {
		t.Errorf("left: %s", madeup.Words(forms.RulesOf(m.view.List)))
	}
}

// A valid verdict on a rule that would leave some URL without a form becomes a refutation.
func TestUnsafeIsRefuted(t *testing.T) {
	m := New("", madeup.Options())
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/.a"}}), nil)
	m.derive(1)
	r := rule.Rule{Edit: rule.Substring{From: ".", To: "..x"}}
	m.verdicts.decide(&trials.Trial{IsNew: true, Candidate: book.Candidate{ID: rule.ID("", &r), Rule: r}}, trial.Valid, 1)
	if e := m.book.Entries[rule.ID("", &r)]; e.State != rule.Refuted || e.Verdict.Reason != book.ByUnsafe {
		t.Errorf("%+v", e)
	}
}

// An outcome counts for its term, and a skip for a shorter term. The reversed pair counts
// only if both documents were compared.
func TestOutcomeCounts(t *testing.T) {
	m := New("", madeup.Options())
	put := func(u, v string, o trial.Outcome, r trial.Reason) {
		m.book.Memory.Put(m.book.Memory.Keys.Pair(u, v), book.Result{Looks: book.Looks{Seen: madeup.Judged(o, r)}, At: 100})
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
		{"/a", "/b", 0, 100 + 7*book.Day - 1, true}, {"/a", "/b", 0, 100 + 7*book.Day, false},
		{"/a", "/c", 0, 100, true}, {"/c", "/a", 0, 100, false}, {"/a", "/e", 0, 100, false},
		{"/a", "/d", 0, 100 + book.Day - 1, true}, {"/a", "/d", 0, 100 + book.Day, false}, {"/d", "/a", 0, 100, false},
	} {
		if _, got := m.book.Memory.Known(c.u, c.v, c.since, c.now); got != c.want {
			t.Errorf("%+v: %v", c, got)
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
		m := New("", madeup.Options())
		m.Load(forms.NewWindow([]evidence.Page{
			{URL: c.url, Evidence: evidence.Spans{{Min: c.longer, Max: c.longer}}},
			{URL: "/p?i=1", Evidence: evidence.Spans{{Min: c.shorter, Max: c.shorter}}},
		}), nil)
		m.derive(1)
		a, b := m.view.Forms.Number[c.url], m.view.Forms.Number["/p?i=1"]
		want := c.want && (c.longer-c.shorter)%11 == 0
		if got := forms.Repeats(m.view.Forms.Page(a), m.view.Forms.Page(b)); got != want || forms.Repeats(m.view.Forms.Page(b), m.view.Forms.Page(a)) != want {
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
	m := New("", madeup.Options())
	m.Load(forms.NewWindow(pages), nil)
	m.derive(1)
	if len(m.view.Drops) != 1 || m.view.Drops[0].Rule != (rule.Rule{Edit: rule.Drop{Param: "n"}}) || m.view.Drops[0].Support != 5 {
		t.Errorf("%+v, want to drop n, five times", m.view.Drops)
	}
}

// The narrower scopes of a drop are the scopes where the parameter has no effect by the
// sizes.
func TestNarrower(t *testing.T) {
	w := noTown()
	for i := range 8 {
		id := string(rune('a' + i))
		for k, n := range []string{"1", "2"} {
			w.Add("/same?n="+n+"&id="+id, "x", 1000)
			w.Add("/other?n="+n+"&id="+id, "x", int64(1000+500*k))
			w.Add("/other?n="+n+"&kind=print&id="+id, "x", 1000)
		}
	}
	m := w.machine(madeup.Options())
	m.derive(1)
	var got []rule.Scope
	for _, r := range m.view.Finder().Narrower(&rule.Rule{Edit: rule.Drop{Param: "n"}}) {
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
	if v, ok := m.view.Finder().Usual(&rule.Rule{Edit: rule.Drop{Param: "n"}}); !ok || v != "1" {
		t.Errorf("usual value %q %v", v, ok)
	}
}

func TestVerdictsAreBounded(t *testing.T) {
	o := madeup.Options()
	o.MaxTried, o.MaxRules = 20, 5
	m := New("", o)
	for i := range 200 {
		r := rule.Rule{Edit: rule.Substring{From: "a", To: string(rune('b' + i))}}
		state := rule.Refuted
		if i < 5 {
			state = rule.Valid
		}
		m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: state, Verdict: rule.Verdict{Time: int64(i)}}})
	}
	if n := len(m.book.Entries); n > 25 || len(m.book.Valid()) != 5 {
		t.Errorf("%d verdicts, %d rules", n, len(m.book.Valid()))
	}
}

func TestIDsDiffer(t *testing.T) {
	seen := map[string]rule.Rule{}
	for _, r := range []rule.Rule{
		{Edit: rule.Substring{From: "a", To: "b"}}, {Edit: rule.Substring{From: "b", To: "a"}}, {Edit: rule.Substring{From: "a", To: "b", AtStart: true}}, {Edit: rule.Substring{From: "a", To: "b", AtEnd: true}},
		{Edit: rule.Substring{From: "a", To: "b"}, Scope: rule.Scope{Prefix: "/x/"}}, {Edit: rule.Substring{From: "a", To: ""}}, {Edit: rule.Substring{From: "", To: "a"}},
		{Edit: rule.Drop{Param: "a"}}, {Edit: rule.Set{Param: "a"}}, {Edit: rule.Set{Param: "a", Value: "b"}},
		{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{HasPath: true}},
		{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Where: rule.Where("m", "")}},
		{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{HasPath: true, Where: rule.With("m")}},
	} {
		for _, site := range []string{"", "s"} {
			id := rule.ID(site, &r)
			if other, twice := seen[id]; twice {
				t.Errorf("%+v and %+v have one id", r, other)
			}
			seen[id] = r
		}
	}
	if id := rule.ID("example.org", &rule.Rule{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}); id != "dca6cfb58491b26132fb" {
		t.Errorf("the id of a rule is %s: it must be the same in every release", id)
	}
}

// Every valid rule survives encoding and decoding.
func FuzzWire(f *testing.F) {
	f.Add(uint8(0), "/index.html", "/", true, false, "", "", "", "/w/", false)
	f.Add(uint8(1), "", "", false, false, "sid", "/p", "a", "", true)
	f.Fuzz(func(t *testing.T, kind uint8, a, b string, start, end bool, param, path, name, prefix string, has bool) {
		r := rule.Rule{Edit: []rule.Edit{rule.Substring{From: a, To: b, AtStart: start, AtEnd: end}, rule.Drop{Param: param}, rule.Set{Param: param, Value: path}}[kind%3],
			Scope: rule.Scope{Path: path, HasPath: has, Prefix: prefix, Where: [2]rule.Condition{{Param: name, Value: a, HasValue: has && !start}}}}
		if r.Validate() != nil {
			return
		}
		e := recode(t, book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r}}).Rule
		if e.Rule != r || rule.ID("", &e.Rule) != e.ID {
			t.Fatalf("%+v becomes %+v", r, e.Rule)
		}
	})
}

// Damaged acts are errors, or are acts without harm.
func FuzzDecode(f *testing.F) {
	a := book.Act{Pair: &book.PairAct{Key: book.Key{1, 2}, Looks: book.Looks{Seen: madeup.Judged(trial.Positive, trial.Similar)}, At: 5}}
	f.Add(a.Encode())
	a = book.Act{Rule: &book.Entry{ID: "x", Rule: rule.Rule{Edit: rule.Substring{From: "a", To: "b"}}, State: rule.Valid, Rank: 1}}
	f.Add(a.Encode())
	f.Add([]byte(`{"v":4,"pair":{"k":"00"}}`))
	f.Add([]byte(`{"v":4,"rule":{"state":"valid"}}`))
	f.Add([]byte(`{"v":4,"rule":{"state":"refuted","rule":{"kind":"parameter","op":"drop","params":["a"],"scope":{}},"followers":[null]}}`))
	f.Add([]byte(`{"v":4,"learnt":{"at":1,"stage":1,"list":"","window":0,"rules":[{"support":9}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		act, err := book.Decode(b)
		if err != nil {
			return
		}
		m := New("", madeup.Options())
		m.Restore(act)
		m.Load(forms.NewWindow([]evidence.Page{{URL: "/a"}, {URL: "/b"}}), nil)
		m.Next(1)
	})
}
