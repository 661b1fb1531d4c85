package drops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// verify compares Learn with the plain definitions, and returns the number of rules.
func verify(t testing.TB, o Options, pages []evidence.Page) []rule.Likely {
	t.Helper()
	got, done := Learn(o, pages, nil)
	want := newPlain(o, pages).list()
	if !done || !slices.Equal(got, want) {
		t.Fatalf("rules\n got %s\nwant %s\npages %v", lines(got), lines(want), pages)
	}
	return got
}

// TestExhaustive learns from all subsets of small worlds.
func TestExhaustive(t *testing.T) {
	lists := []struct {
		name string
		urls []string
	}{
		{"names", []string{"/p?n=1&a=x", "/p?n=2&a=x", "/p?a=x", "/q?n=1&a=x", "/q?a=x", "/p?n=1", "/p", "/p?a=y", "/q?a&n", "/p?m=1&n=1"}},
		{"separated", []string{"/?n=1", "/?n=1;n=2", "/?n&a=1", "/?a=1", "/", "/?", "/?&n=1&", "/?&", "/?=v&n=1", "/?=v", "/?a=1;n"}},
		{"paths", []string{"/a/b/c?n=1", "/a/b/c", "/a/d/c?n=1", "/a/d/c", "/a//c?n=1", "/a//c", "/a/*/c?n=1", "/a/*/c", "/x/b/c?n=1", "/x/b/c"}},
		{"pairs", []string{"/?m=1&n=1", "/?m=1&n=2", "/?m=1", "/?n=1", "/?n=2", "/?n=1&m=1", "/?m", "/?m=2&n=1", "/?m=2&n=2&a=1", "/?a=1"}},
		{"triples", []string{"/?a=1&b=1&c=1", "/?a=2&b=2&c=2", "/?a=1&b=1", "/?c=1", "/?c=3", "/", "/?a=2&b=3", "/?a=1&b=2&c=2", "/?a=1&b=1&c=1&d=1", "/?d=1"}},
		{"host", []string{"h/p?n=1", "h/p", "h?n=1", "h", "g/p?n=1", "g/p", "h/p/q?n=1", "h/p/q", "g/p/q?n=1", "g/p/q"}},
	}
	for _, c := range lists {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range []Options{{MinSupport: 1}, {MinSupport: 2, Similarity: evidence.Similarity{Tolerance: 0.5}}} {
				for set := range 1 << len(c.urls) {
					var pages []evidence.Page
					for i, url := range c.urls {
						if set>>i&1 == 1 {
							pages = append(pages, evidence.Page{URL: url, Evidence: worlds.Size(int64(100 + i%3/2*120))})
						}
					}
					verify(t, o, pages)
				}
			}
		})
	}
}

// TestRandom learns from random worlds, and counts the kinds of rules seen.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	seen := map[string]int{}
	for range 200 {
		o, pages := randomWorld(r)
		for _, found := range verify(t, o, pages) {
			seen[shape(&found.Rule)]++
		}
	}
	for _, s := range []string{
		"1", "1 value", "2", "1 path", "1 *", "1 present", "1 m=v", "1 path present",
		"1 present present", "2 path", "2 m=v", "2 *", "1 value path", "1 value m=v",
	} {
		if seen[s] == 0 {
			t.Errorf("no rule of shape %q", s)
		}
	}
	t.Log(seen)
}

// shape describes a rule without its texts.
func shape(r *rule.Rule) string {
	parts := []string{fmt.Sprint(len(names(r)))}
	if r.Params().HasValue {
		parts = append(parts, "value")
	}
	switch {
	case starred(r.Scope.Path):
		parts = append(parts, "*")
	case r.Scope.HasPath:
		parts = append(parts, "path")
	}
	var where []string
	for _, c := range r.Scope.Where {
		switch {
		case c.HasValue:
			where = append(where, "m=v")
		case c.Param != "":
			where = append(where, "present")
		}
	}
	slices.SortFunc(where, func(a, b string) int { return strings.Compare(b, a) })
	return strings.Join(append(parts, where...), " ")
}

// randomWorld returns pages whose sizes depend on the URL without some parameters in some
// scope, and on noise.
func randomWorld(r *rand.Rand) (Options, []evidence.Page) {
	o := Options{MinSupport: 1 + r.IntN(3), Similarity: worlds.Similarity(r)}
	h := randomTruth(r)
	values := 2 + r.IntN(3)
	if r.IntN(6) == 0 {
		values = 45
	}
	m := map[string]evidence.Spans{}
	for range 4 + r.IntN(56) {
		url := h.together(r, worlds.Query(r, values), values)
		m[url] = h.evidence(r, url)
		if p := oracle.Params(url); len(p) > 0 && r.IntN(2) == 0 { // often with the rest
			rest := oracle.WithoutName(url, p[r.IntN(len(p))].Name)
			m[rest] = h.evidence(r, rest)
		}
	}
	return o, worlds.Pages(m)
}

// truth is a drop that holds in a world.
type truth struct {
	drop    plainTarget
	scope   rule.Scope
	group   string // names that come together with m, a byte each
	noise   int    // one page in so many is unlike
	digests bool
}

func randomTruth(r *rand.Rand) truth {
	h := truth{drop: []plainTarget{{a: "n"}, {a: "n"}, {a: "m", b: "n"}, {a: "n", value: "1", hasValue: true}}[r.IntN(4)],
		noise: 8 + r.IntN(20), digests: r.IntN(4) == 0}
	if r.IntN(2) == 0 {
		h.group, h.noise = "cdef"[:1+r.IntN(4)], h.noise+10
		if more := []string{"m", "m", "m;n", "a;m"}[r.IntN(4)]; r.IntN(4) > 0 {
			h.drop = targetOf(strings.Split(more+";"+strings.Join(strings.Split(h.group, ""), ";"), ";")...)
		}
	}
	h.scope.Path, h.scope.HasPath = []string{"", "", "/a/b", "/a/*/c"}[r.IntN(4)], true
	h.scope.HasPath = h.scope.Path != ""
	where := []rule.Condition{{}, {Param: "a", Valued: true}, {Param: "a", Value: "1", HasValue: true}}
	h.scope.Where = [2]rule.Condition{where[r.IntN(3)], {}}
	if h.scope.Where[0].Param != "" && r.IntN(3) == 0 {
		h.scope.Where[1] = []rule.Condition{{Param: "b", Valued: true}, {Param: "b", Value: "1", HasValue: true}}[r.IntN(2)]
	}
	return h
}

// together adds the names that come together with m to a URL with m.
func (h truth) together(r *rand.Rand, url string, values int) string {
	if slices.ContainsFunc(oracle.Params(url), func(p oracle.Param) bool { return p.Name == "m" }) {
		for _, name := range h.group {
			url += fmt.Sprintf("%c%c=%d", "&;"[r.IntN(2)], name, r.IntN(values))
		}
	}
	return url
}

func (h truth) holds(rest string) bool {
	p := &plain{few: map[string]bool{"a": true, "b": true}}
	return p.scopes(rest)[h.scope]
}

func (h truth) evidence(r *rand.Rand, url string) evidence.Spans {
	switch {
	case r.IntN(h.noise) == 0:
		return nil
	case h.digests && r.IntN(3) == 0:
		return worlds.Evidence(r)
	}
	if rest := h.drop.rest(url); h.holds(rest) {
		url = rest
	}
	return worlds.SizeOf(url, 5000)
}

// TestFollowers compares the followers of refuted rules with the plain definitions, rule
// after rule, as trials refute them.
func TestFollowers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	seen := map[string]int{}
	for range 120 {
		o, pages := randomWorld(r)
		p := newPlain(o, pages)
		for _, first := range p.list() {
			if r.IntN(3) > 0 {
				continue
			}
			refuted := map[rule.Scope]bool{}
			for next := []rule.Likely{first}; len(next) > 0 && len(refuted) < 4; {
				tried := next[r.IntN(len(next))]
				refuted[tried.Rule.Scope] = true
				got, done := Followers(o, pages, &tried.Rule, func(s rule.Scope) bool { return refuted[s] }, nil)
				next = p.followers(tried, refuted)
				if !done || !slices.Equal(got, next) {
					t.Fatalf("followers of %s got %s\nwant %s\npages %v", line(&tried), lines(got), lines(next), pages)
				}
				for _, f := range got {
					seen[shape(&f.Rule)]++
				}
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("followers of few shapes: %v", seen)
	}
	t.Log(seen)
}
