package waste

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// must ends a test at an error.
var must = expect.NoError

// world returns pages of few forms, with the masks of those who asked for them.
func world(rng *rand.Rand) (pages []evidence.Page, families map[string]uint32) {
	families = map[string]uint32{}
	for range 1 + rng.IntN(60) {
		url := fmt.Sprintf("/%c%s", 'a'+rng.IntN(4), []string{"", "?s=1", "?s=2", "?s=1&t=2", "/index.html", ".html"}[rng.IntN(6)])
		if _, known := families[url]; known {
			continue
		}
		p := evidence.Page{URL: url}
		for class := range uint8(3) {
			if size := 100 + rng.Int64N(9); rng.IntN(3) > 0 {
				p.Evidence = p.Evidence.Join(evidence.Span{Class: class, Min: size, Max: size + rng.Int64N(3)})
			}
		}
		if rng.IntN(3) == 0 {
			p.Evidence = p.Evidence.Join(evidence.Span{Class: evidence.Digest, Min: -5, Max: 7})
		}
		pages = append(pages, p)
		families[url] = rng.Uint32() & rng.Uint32() & rng.Uint32()
	}
	slices.SortFunc(pages, func(p, q evidence.Page) int { return strings.Compare(p.URL, q.URL) })
	return pages, families
}

var someRules = []rule.Rule{
	{Edit: rule.Drop{Param: "s"}}, {Edit: rule.Drop{Param: "t"}}, {Edit: rule.Substring{From: "/index.html", To: "", AtEnd: true}}, {Edit: rule.Substring{From: ".html", To: "", AtEnd: true}},
	{Edit: rule.Substring{From: "/a", To: "/b"}}, {Edit: rule.Substring{From: "/b", To: "/a"}}, // these do not settle together
	{Edit: rule.Substring{From: "/c", To: "/new"}},
}

// someCaught returns some URLs as those of pages that the site gives for any name, or none.
func someCaught(rng *rand.Rand, pages []evidence.Page) map[string]bool {
	caught := map[string]bool{}
	for range rng.IntN(2) * rng.IntN(6) {
		caught[pages[rng.IntN(len(pages))].URL] = true
	}
	return caught
}

func catching(pages []evidence.Page, caught map[string]bool) func(page int) bool {
	if len(caught) == 0 {
		return nil
	}
	return func(page int) bool { return caught[pages[page].URL] }
}

// The waste is that of the definition, for random pages, masks and rules.
func TestOracle(t *testing.T) {
	wasted := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pages, families := world(rng)
		caught := someCaught(rng, pages)
		var rules []rule.Rule
		for _, i := range rng.Perm(len(someRules))[:rng.IntN(5)] {
			rules = append(rules, someRules[i])
		}
		c, err := canon.Compile(rules)
		must(t, err)
		forms := FormsOf(pages, c, catching(pages, caught))
		got := forms.Waste(func(page int) uint32 { return families[pages[page].URL] })
		for bit, want := range oracle.Waste(pages, families, worlds.Edits(rules), caught) {
			if got[bit] != Figure(want) {
				t.Fatalf("seed %d, family %d: %+v, want %+v", seed, bit, got[bit], want)
			}
			wasted += got[bit].Waste()
		}
	}
	if wasted < 5000 {
		t.Errorf("only %d URLs are wasted", wasted)
	}
}

// What several crawlers asked for counts once for all of them, and people and other robots do not count. The first of those with the most waste is named.
func TestSums(t *testing.T) {
	w := &Waste{}
	if _, ok := w.Most(); ok || w.Agents() {
		t.Errorf("%+v tells something", w)
	}
	w.Add(&Waste{0: {100, 1, 1000}, 1: {90, 1, 900}, 2: {30, 30, 0}, 5: {20, 15, 50}, 31: {10, 5, 40}, Union: {40, 32, 70}})
	w.Add(&Waste{2: {1, 1, 0}, Union: {1, 1, 0}})
	most, ok := w.Most()
	if got, want := w.Crawlers(), (Figure{41, 33, 70}); got != want || got.Waste() != 8 || most != 5 || !ok || !w.Agents() {
		t.Errorf("%+v, %d, %v, %v", got, most, ok, w.Agents())
	}
}

// A URL that two crawlers asked for is one URL, and a page that each has under another URL is wasted once.
func TestUnion(t *testing.T) {
	pages := []evidence.Page{
		{URL: "/a", Evidence: evidence.Spans{{Min: 100, Max: 100}}}, {URL: "/a?s=1", Evidence: evidence.Spans{{Min: 110, Max: 110}}},
		{URL: "/b", Evidence: evidence.Spans{{Min: 7, Max: 7}}}, {URL: "/people", Evidence: evidence.Spans{{Min: 9, Max: 9}}},
	}
	c, err := canon.Compile(someRules[:1])
	must(t, err)
	got := FormsOf(pages, c, nil).Waste(func(page int) uint32 { return []uint32{1<<2 | 1, 1 << 3, 1<<2 | 1<<3, 3}[page] })
	if got[2] != (Figure{2, 2, 0}) || got[3] != (Figure{2, 2, 0}) || got.Crawlers() != (Figure{3, 2, 110}) || got[0] != (Figure{2, 2, 0}) {
		t.Errorf("%+v", got)
	}
}

// Pages that a site gives for any name are one form, with what the rules turn into one of them. Those count that a named
// crawler asked for.
func TestCaught(t *testing.T) {
	pages := []evidence.Page{{URL: "/a"}, {URL: "/a?s=1"}, {URL: "/b"}, {URL: "/q1"}, {URL: "/q2?s=1"}}
	c, err := canon.Compile(someRules[:1])
	must(t, err)
	caught := map[string]bool{"/a": true, "/q1": true, "/q2?s=1": true}
	forms, families := FormsOf(pages, c, catching(pages, caught)), func(page int) uint32 { return []uint32{4, 4, 4, 1, 8}[page] }
	if got := forms.Waste(families); got[2] != (Figure{3, 2, 0}) || got.Crawlers() != (Figure{4, 2, 0}) || forms.Caught(families) != 2 {
		t.Errorf("%+v, %d caught", got, forms.Caught(families))
	}
	if n := FormsOf(pages, c, nil).Caught(families); n != 0 {
		t.Errorf("%d caught of none", n)
	}
}

func BenchmarkForms(b *testing.B) {
	pages := oracle.Site(1, 100_000)
	c, err := canon.Compile(someRules)
	must(b, err)
	for b.Loop() {
		FormsOf(pages, c, nil).Waste(func(page int) uint32 { return 1 << (page % 4) })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(pages)), "ns/URL")
}
