package canon

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	_ "dustbuster/internal/fewgc"
	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
)

// siteRules returns random rules for a generated site. Nine in ten remove one to three
// tokens from a piece of a URL. The others drop a parameter on a path.
func siteRules(pages []evidence.Page, n int) []rule.Rule {
	rng := rand.New(rand.NewPCG(3, 3))
	var rules []rule.Rule
	seen := map[rule.Rule]bool{}
	for len(rules) < n {
		r := pieceRule(rng, pages[rng.IntN(len(pages))].URL)
		if rng.IntN(10) == 0 {
			r = pathRule(pages[rng.IntN(len(pages))].URL)
		}
		if r.Validate() == nil && !seen[r] {
			seen[r] = true
			rules = append(rules, r)
		}
	}
	return rules
}

func pieceRule(rng *rand.Rand, url string) rule.Rule {
	cuts := dust.AppendCuts(nil, []byte(url))
	cuts = cuts[1 : len(cuts)-1]
	size := 4 + rng.IntN(5)
	if size >= len(cuts) {
		return rule.Rule{}
	}
	from := rng.IntN(len(cuts) - size)
	out := from + 1 + rng.IntN(size-3)
	return rule.Rule{
		Edit: rule.Substring{From: url[cuts[from]:cuts[from+size]], To: url[cuts[from]:cuts[out]] + url[cuts[out+1+rng.IntN(3)]:cuts[from+size]]},
	}
}

func pathRule(url string) rule.Rule {
	for from, to := range rule.Query([]byte(url)) {
		for at := from; at < to; at++ {
			if url[at] == '=' {
				path := url[:from-1]
				return rule.Rule{Edit: rule.Drop{Param: url[from:at]}, Scope: rule.Scope{HasPath: true, Path: path}}
			}
		}
	}
	return rule.Rule{}
}

// benchURLs splits the URLs of a site into URLs that a canonizer changes and URLs that do
// not change.
func benchURLs(c *Canonizer, pages []evidence.Page) (changed, still [][]byte) {
	for _, p := range pages {
		switch _, end := c.Canon(nil, []byte(p.URL)); {
		case end.Changed():
			changed = append(changed, []byte(p.URL))
		case end.End == Settled:
			still = append(still, []byte(p.URL))
		}
	}
	return changed, still
}

func BenchmarkCanon(b *testing.B) {
	pages := oracle.Site(1, 100000)
	for _, n := range []int{10, 100, 1000, 10000} {
		rules := siteRules(pages, n)
		c := compile(b, rules)
		changed, still := benchURLs(c, pages)
		b.Run(fmt.Sprintf("rules=%d/changed", n), func(b *testing.B) { benchCanon(b, c, changed) })
		b.Run(fmt.Sprintf("rules=%d/still", n), func(b *testing.B) { benchCanon(b, c, still) })
	}
}

// mixedRules returns n rules of a generated site, one in ten of each further kind: drops of
// two names, of a value, of a pattern and in path segments, and syntax, order and
// templates, of which one each is for the whole site and the others are for a path. A tenth
// has exceptions: a path and a URL of the site.
func mixedRules(tb testing.TB, pages []evidence.Page, n int) []rule.Rule {
	tb.Helper()
	rules := siteRules(pages, n*3/10)
	for i := range rules {
		if i%3 == 0 {
			url := pages[i*len(pages)/n].URL
			path, _, _ := strings.Cut(url, "?")
			e, err := rule.NewExcept([]rule.Scope{{HasPath: true, Path: path}}, []string{url})
			must(tb, err)
			rules[i].Except = e
		}
	}
	for i := 0; len(rules) < n; i++ {
		scope := rule.Scope{HasPath: true, Path: fmt.Sprintf("/section%d/list", i)}
		if i == 0 {
			scope = rule.Scope{}
		}
		rules = append(rules,
			rule.Rule{Edit: rule.Drop{Param: fmt.Sprintf("a%d", i), Other: fmt.Sprintf("b%d", i)}},
			rule.Rule{Edit: rule.Drop{Param: "view", HasValue: true, Value: fmt.Sprint(i)}},
			rule.Rule{Edit: rule.Drop{InPath: true, Param: fmt.Sprintf("sid%d", i)}},
			rule.Rule{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}}, Scope: scope},
			rule.Rule{Edit: rule.Order{}, Scope: scope},
			rule.Rule{Edit: rule.Syntax{Form: rule.Slashes + rule.Form(i%5)}, Scope: rule.Scope{}})
		if i >= 5 {
			rules[len(rules)-1].Scope = scope
		}
		rules = append(rules, rule.Rule{Edit: rule.Rewrite{Template: benchTemplate(tb, pages[i*len(pages)/n].URL, i)}})
	}
	return rules[:n]
}

// benchTemplate returns a template for the shape of a URL: every segment but the first and
// every value may be any, and the last key is dropped. The template of number 0 has the
// first segment of the site's pages; those of other numbers have a segment of their own.
func benchTemplate(tb testing.TB, url string, number int) rule.Template {
	tb.Helper()
	_, segments, names, values, _, ok := naiveParts(url)
	if !ok {
		tb.Fatalf("%q fits no template", url)
	}
	var keys []rule.Key
	for _, name := range append(segments, names...) {
		keys = append(keys, rule.Key{Name: name, Any: true})
	}
	if keys[0].Any, keys[0].Value = false, *values["/0"]; number > 0 {
		keys[0].Value += fmt.Sprint(number)
	}
	keys[len(keys)-1].Edit = rule.DropKey
	t, err := rule.NewTemplate(keys)
	must(tb, err)
	return t
}

// BenchmarkCanonMixed measures rules of all kinds. URLs that stay take no memory.
func BenchmarkCanonMixed(b *testing.B) {
	pages := oracle.Site(1, 100000)
	rules := mixedRules(b, pages, 1000)
	c := compile(b, rules)
	changed, still := benchURLs(c, pages)
	b.Run("changed", func(b *testing.B) { benchCanon(b, c, changed) })
	b.Run("still", func(b *testing.B) { benchCanon(b, c, still) })
}

func benchCanon(b *testing.B, c *Canonizer, urls [][]byte) {
	b.ReportAllocs()
	dst := make([]byte, 0, 3*rule.MaxBytes)
	size, edits := 0, 0
	for _, url := range urls {
		size += len(url)
		for range c.Steps(url) {
			edits++
		}
	}
	i := 0
	for b.Loop() {
		c.Canon(dst, urls[i])
		if i++; i == len(urls) {
			i = 0
		}
	}
	b.ReportMetric(float64(len(urls)), "urls")
	b.ReportMetric(float64(size)/float64(len(urls)), "B/url")
	b.ReportMetric(float64(edits)/float64(len(urls)), "edits/url")
}

// BenchmarkPlain measures the loop over all rules, which the automaton avoids.
func BenchmarkPlain(b *testing.B) {
	pages := oracle.Site(1, 20000)
	for _, n := range []int{10, 100, 1000} {
		rules := siteRules(pages, n)
		_, still := benchURLs(compile(b, rules), pages)
		b.Run(fmt.Sprintf("rules=%d/still", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				for r := range rules {
					rules[r].Apply(nil, still[i])
				}
				if i++; i == len(still) {
					i = 0
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	pages := oracle.Site(1, 100000)
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) { benchCompile(b, siteRules(pages, n)) })
	}
	b.Run("most states", func(b *testing.B) { benchCompile(b, hostileRules(maxStates-2*rule.MaxBytes)) })
}

func benchCompile(b *testing.B, rules []rule.Rule) {
	for b.Loop() {
		compile(b, rules)
	}
	before := heap()
	c := compile(b, rules)
	b.ReportMetric(float64(heap()-before)/float64(len(rules)), "B/rule")
	b.ReportMetric(float64(len(c.automaton.states)), "states")
	runtime.KeepAlive(c)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkCanonical includes reading the address and finding the site.
func BenchmarkCanonical(b *testing.B) {
	pages := oracle.Site(1, 100000)
	rules := siteRules(pages, 1000)
	changed, still := benchURLs(compile(b, rules), pages)
	s := sites(b, Site{Name: "www.example.org", Rules: rules})
	for _, c := range []struct {
		name string
		urls [][]byte
	}{{"changed", changed}, {"still", still}} {
		var texts []string
		for _, url := range c.urls {
			texts = append(texts, "http://www.example.org"+string(url))
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Canonical(texts[i])
				if i++; i == len(texts) {
					i = 0
				}
			}
		})
	}
}
