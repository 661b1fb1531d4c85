package weight

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	_ "dustbuster/internal/fewgc"
	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
)

// verify compares the figures of rules with the definition.
func verify(t *testing.T, pages []evidence.Page, o Options, rules []rule.Rule) (weighty int) {
	t.Helper()
	l, instances := newPlain(pages, o), substringPairs(pages)
	got := weighed(pages, o, rules...)
	o.Together = func(tasks ...func()) {
		for _, task := range slices.Backward(tasks) {
			task()
		}
	}
	w, parts := weigherOf(pages, o), likely(rules)
	if w.Weigh(worlds.Never, parts); !slices.EqualFunc(parts, got, near) {
		t.Errorf("in parts: %+v, not %+v", parts, got)
	}
	for i := range rules {
		if got, want := w.Pairs(&rules[i]), weigherOf(pages, o).Pairs(&rules[i]); !slices.Equal(got, want) {
			t.Errorf("%+v: pairs %v, before it is weighed %v", rules[i], got, want)
		}
	}
	for i, r := range rules {
		var pairs map[joined]bool
		switch r.Kind() {
		case rule.KindSubstring:
			pairs = instances[oracle.Pair{Alpha: r.Sides().From, Beta: r.Sides().To, AtStart: r.Sides().AtStart, AtEnd: r.Sides().AtEnd}]
		case rule.KindDrop, rule.KindSegment, rule.KindOrder:
			pairs = l.dropPairs(r)
		default:
			pairs = l.editPairs(r)
		}
		want := l.figures(r, pairs)
		if !near(got[i], want) {
			t.Fatalf("%+v:\n got %+v\nwant %+v\npages %v\nkey %v", r, got[i], want, pages, o.Key)
		}
		if want.Weight > 0 {
			weighty++
		}
	}
	return weighty
}

// weighed returns rules with their weights.
func weighed(pages []evidence.Page, o Options, rules ...rule.Rule) []rule.Likely {
	all := likely(rules)
	weigherOf(pages, o).Weigh(worlds.Never, all)
	return all
}

func likely(rules []rule.Rule) []rule.Likely {
	all := make([]rule.Likely, len(rules))
	for i, r := range rules {
		all[i].Rule = r
	}
	return all
}

func weigherOf(pages []evidence.Page, o Options) *Weigher {
	url := func(n int) string { return pages[n].URL }
	return New(pages, search.New(len(pages), url), search.NewNumbers(len(pages), url), o)
}

// near reports whether figures are equal but for rounding.
func near(a, b rule.Likely) bool {
	return a.Pairs == b.Pairs && a.Alike == b.Alike && math.Abs(a.Expected-b.Expected) < 1e-9*(1+b.Expected) &&
		math.Abs(a.Weight-b.Weight) < 1e-9*(1+b.Weight) && math.Abs(a.Own-b.Own) < 1e-9*(1+b.Own) &&
		a.OneContent == b.OneContent && a.Meetings == b.Meetings && math.Abs(a.Met-b.Met) < 1e-9*(1+b.Met)
}

// substringRules returns a rule of each pair with an instance, and one without.
func substringRules(pages []evidence.Page) []rule.Rule {
	rules := []rule.Rule{{Edit: rule.Substring{From: "nowhere.else", To: "nowhere"}}}
	for p := range substringPairs(pages) {
		rules = append(rules, rule.Rule{Edit: rule.Substring{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}})
	}
	return rules
}

func TestSubstringExhaustive(t *testing.T) {
	o := Options{Similarity: evidence.Similarity{Tolerance: 0.01}}
	n := 0
	for pages := range oracle.SmallWorlds("a./", 2, 3, oracle.Intervals(2)) {
		if n++; n%7 == 0 { // all worlds take too long for every run
			verify(t, pages, o, substringRules(pages))
		}
	}
}

func TestSubstringRandom(t *testing.T) {
	weighty := 0
	for seed := range worlds.Rounds(40, 60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pages := oracle.Random(rng, 2+rng.IntN(24))
		o := Options{Key: [2]uint64{rng.Uint64(), 7}, Similarity: oracle.RandomOptions(rng).Similarity}
		weighty += verify(t, pages, o, substringRules(pages))
	}
	if weighty < 100 {
		t.Errorf("only %d rules have a weight", weighty)
	}
}

// params are the pieces of queries with corners: repeated, bare, nameless and empty.
var params = []string{"a=1", "a=2", "b=1", "b", "b=", "c=3", "a", "", "=x"}

func randomQuery(rng *rand.Rand) string {
	u := []string{"", "", "", "/1234", "/12345", "/s/1234", "/s/12345", "/s"}[rng.IntN(8)] + []string{"/", "/p", "/q.html"}[rng.IntN(3)]
	for i := range rng.IntN(4) {
		sep := "&;"[rng.IntN(2) : rng.IntN(2)+1]
		if len(sep) != 1 {
			sep = "&"
		}
		if i == 0 {
			sep = "?"
		}
		u += sep + params[rng.IntN(len(params))]
	}
	return u
}

func paramRules() (rules []rule.Rule) {
	for _, n := range []string{"a", "b", "c"} {
		for _, s := range []rule.Scope{
			{}, {HasPath: true, Path: "/p"}, {HasPath: true, Path: "/"}, {Where: rule.Where("c", "3")},
			{HasPath: true, Path: "/p", Where: rule.With("b")}, {HasPath: true, Path: "/", Where: rule.Where("b", "")},
		} {
			if s.Where[0].Param != n {
				rules = append(rules, rule.Rule{Edit: rule.Drop{Param: n}, Scope: s})
			}
		}
		rules = append(rules, rule.Rule{Edit: rule.Set{Param: n, Value: "1"}},
			rule.Rule{Edit: rule.Drop{Param: n, Value: "1", HasValue: true}}, rule.Rule{Edit: rule.Drop{Param: n, HasValue: true}})
	}
	return append(rules, rule.Rule{Edit: rule.Drop{Param: "a", Other: "b"}}, rule.Rule{Edit: rule.Drop{Param: "b", Other: "c"}},
		rule.Rule{Edit: rule.DropOf("a", "b", "c")}, rule.Rule{Edit: rule.DropOf("a", "b", "c"), Scope: rule.Scope{HasPath: true, Path: "/p"}},
		rule.Rule{Edit: rule.Drop{Param: "a", Other: "c"}, Scope: rule.Scope{HasPath: true, Path: "/p"}},
		segment("/", "/"), segment("/s/", "/s/"), segment("/s/", "/"))
}

func segment(after, to string) rule.Rule {
	return rule.Rule{Edit: rule.Segment{After: after, To: to, Class: rule.Digits}}
}

func TestParametersRandom(t *testing.T) {
	weighty := 0
	for seed := range worlds.Rounds(150, 300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		seen := map[string]bool{}
		var pages []evidence.Page
		for range 3 + rng.IntN(40) {
			if u := randomQuery(rng); !seen[u] {
				seen[u] = true
				pages = append(pages, evidence.Page{URL: u, Evidence: oracle.RandomEvidence(rng)})
			}
		}
		o := Options{Key: [2]uint64{rng.Uint64(), 7}, Similarity: oracle.RandomOptions(rng).Similarity}
		weighty += verify(t, pages, o, paramRules())
	}
	if weighty < 100 {
		t.Errorf("only %d rules have a weight", weighty)
	}
}

// TestMany has more pairs and votes than count, of two forms of each page, and of one group.
func TestMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	var pages []evidence.Page
	add := func(u string, size int64) {
		pages = append(pages, evidence.Page{URL: u, Evidence: evidence.Spans{{Min: size, Max: size + rng.Int64N(1+size/200)}}})
	}
	r := rule.Rule{Edit: rule.Substring{From: ".html", To: "", AtEnd: true}}
	pairs := map[joined]bool{}
	for i := range 2300 {
		u, size := fmt.Sprintf("/p%d", i), int64(math.Exp(2+rng.Float64()*12))
		add(u, size)
		if rng.IntN(3) == 0 {
			size = size * 3 / 2
		}
		add(u+".html", size)
		add(fmt.Sprintf("/css?v=%d", i), 500)
		pairs[joined{u + ".html", u}] = true
	}
	drop := rule.Rule{Edit: rule.Drop{Param: "v"}}
	o := Options{Key: [2]uint64{1, 2}, Similarity: evidence.Similarity{Tolerance: 0.01}}
	l := newPlain(pages, o)
	got := weighed(pages, o, r, drop)
	for i, want := range []rule.Likely{l.figures(r, pairs), l.figures(drop, l.dropPairs(drop))} {
		if !near(got[i], want) || want.Pairs != 2000 {
			t.Errorf("rule %d:\n got %+v\nwant %+v", i, got[i], want)
		}
	}
	rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	again := weighed(pages, o, drop, r)
	slices.Reverse(again)
	for i := range again {
		if !near(again[i], got[i]) {
			t.Errorf("in another order: %+v, not %+v", again[i], got[i])
		}
	}
}

// TestStop stops at every possible call.
func TestStop(t *testing.T) {
	pages := oracle.Site(1, 6000)
	rules := weighed(nil, Options{}, append(paramRules(), rule.Rule{Edit: rule.Substring{From: "html", To: "htm"}}, rule.Rule{Edit: rule.Substring{From: "/", To: ""}}, rule.Rule{Edit: rule.Drop{Param: "p"}})...)
	o := Options{Similarity: evidence.Similarity{Tolerance: 0.01}}
	worlds.Stops(t, 3, func(stop func() bool) (int, bool) { return 0, weigherOf(pages, o).Weigh(stop, rules) })
}

// URLs of more than 8 names are in no group of two names.
func TestManyNames(t *testing.T) {
	for _, c := range []struct {
		more string
		want int
	}{{"&c&d&e&f&g&h", 2}, {"&c&d&e&f&g&h&i", 0}} {
		var pages []evidence.Page
		for i := range 3 {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/?a=%d&b=%d%s", i, i, c.more), Evidence: worlds.Size(9)})
		}
		r := rule.Rule{Edit: rule.Drop{Param: "a", Other: "b"}}
		if got := weighed(pages, Options{}, r)[0].Pairs; got != c.want {
			t.Errorf("%s: %d pairs, want %d", c.more, got, c.want)
		}
		verify(t, pages, Options{}, []rule.Rule{r})
	}
}

// effectsOf notes what a Weigher tells of the effects of rules.
type effectsOf struct {
	t     *testing.T
	pages []evidence.Page
	texts *search.Numbers
	told  []int // URLs of the rule
	rules *int  // that changed a URL
}

func (e *effectsOf) Change(url, form int, _ uint64, listed bool) {
	if listed {
		url = url<<16 | form + 1
	}
	e.told = append(e.told, url)
}

func (e *effectsOf) End(r *rule.Likely) {
	var want []int
	for n, p := range e.pages {
		if made, changed := r.Rule.Apply(nil, []byte(p.URL)); changed {
			if form, listed := e.texts.Of(made); listed {
				n = n<<16 | form + 1
			}
			want = append(want, n)
		}
	}
	if !slices.Equal(e.told, want) {
		e.t.Fatalf("%+v changes %v, want %v", r.Rule, e.told, want)
	}
	if e.told = e.told[:0]; len(want) > 0 {
		*e.rules++
	}
}

// A Weigher that is asked for effects tells of all URLs that a rule of any kind changes, and the weights are the same.
func TestEffects(t *testing.T) {
	changed := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		pages := oracle.Random(rng, 2+rng.IntN(24))
		rules := substringRules(pages)
		for _, r := range slices.Clone(rules) {
			scoped := r
			scoped.Scope = rule.Scope{Path: "/a", HasPath: true}
			rules = append(rules, r.Opposite(), scoped)
		}
		rules = append(rules, rule.Rule{Edit: rule.Order{}}, rule.Rule{Edit: rule.Syntax{Form: rule.EmptyValue}}, rule.Rule{Edit: rule.Drop{Param: "a"}},
			rule.Rule{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Path: "/a", HasPath: true}}, rule.Rule{Edit: rule.Segment{}})
		rules = slices.DeleteFunc(rules, func(r rule.Rule) bool { return r.Validate() != nil })
		o := Options{Similarity: oracle.RandomOptions(rng).Similarity}
		want := weighed(pages, o, rules...)
		o.Effects = func() Effects {
			texts := search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })
			return &effectsOf{t: t, pages: pages, texts: texts, rules: &changed}
		}
		if got := weighed(pages, o, rules...); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %+v\nwant %+v", seed, got, want)
		}
	}
	if changed < 300 {
		t.Errorf("only %d rules change a URL", changed)
	}
}

// The census counts pages of one size, of several, and of sizes beyond exact floats as a comparison one by one does.
func TestCensus(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, tolerance := range []float64{0, 0.05, 0.9} {
		for _, most := range []int64{1000, 1 << 40, 1 << 53, 1 << 56, 1 << 61} {
			var pages []evidence.Page
			for i := range 300 {
				s := evidence.Span{Class: 1, Min: most - rng.Int64N(100)}
				if i%2 == 0 { // about as small as a page may be that is alike
					s.Min = most - int64(tolerance*float64(most)) - rng.Int64N(100)
				}
				if s.Max = s.Min; i%3 == 0 {
					s.Min -= rng.Int64N(min(s.Min, 20) + 1)
				}
				pages = append(pages, evidence.Page{URL: fmt.Sprint("/", i), Evidence: evidence.Spans{s}})
			}
			w := weigherOf(pages, Options{Similarity: evidence.Similarity{Tolerance: tolerance}})
			w.count()
			for i := range pages {
				want := 0
				for j := range pages {
					u, v := pages[i].Evidence[0], pages[j].Evidence[0]
					if w.pages.low(u) <= v.Max && w.pages.low(v) <= u.Max {
						want++
					}
				}
				if n, similar := w.pages.count(pages[i].Evidence); n != 300 || similar != float64(want) {
					t.Fatalf("tolerance %g, %+v: %v of %v, want %d of 300", tolerance, pages[i].Evidence, similar, n, want)
				}
			}
		}
	}
}
