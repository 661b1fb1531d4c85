package except

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// plain is the definition of the choice, written without the counts of the package: all
// properties of all forms, as predicates.
func plain(t *Trial) (Exception, bool) {
	type named struct {
		e     Exception
		order string // 0 for an own value, else 1, 2 or 3 for the kind; length, text
		has   func(form string) bool
	}
	var all []named
	rest := func(form string) string { return string(t.Rule.Rest([]byte(form))) }
	path := func(form string) string { p, _, _ := strings.Cut(rest(form), "?"); return p }
	pieces := func(form string) []string {
		_, query, _ := strings.Cut(rest(form), "?")
		return strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' })
	}
	for _, f := range t.Negatives {
		p := path(f)
		all = append(all, named{Exception{Scope: rule.Scope{Path: p, HasPath: true}}, "1" + p, func(g string) bool { return path(g) == p }})
		for _, piece := range pieces(f) {
			name, value, valued := strings.Cut(piece, "=")
			all = append(all, named{Exception{Scope: rule.Scope{Where: rule.With(name)}}, "2" + name + "\x00", func(g string) bool {
				return slices.ContainsFunc(pieces(g), func(other string) bool { n, _, _ := strings.Cut(other, "="); return n == name })
			}})
			if valued {
				all = append(all, named{Exception{Scope: rule.Scope{Where: rule.Where(name, value)}}, "2" + piece + "\x01", func(g string) bool {
					return slices.Contains(pieces(g), piece)
				}})
			}
		}
		for _, piece := range strings.FieldsFunc(f[strings.Index(f, "?")+1:], func(c rune) bool { return c == '&' || c == ';' }) {
			value, is := strings.CutPrefix(piece, t.Rule.Params().Param+"=")
			if !is || t.Rule.Params().HasValue || t.Rule.Kind() == rule.KindSubstring {
				continue
			}
			own := func(with func(value string) bool) func(string) bool {
				return func(g string) bool {
					return slices.ContainsFunc(strings.FieldsFunc(g[strings.Index(g, "?")+1:], func(c rune) bool { return c == '&' || c == ';' }), func(other string) bool {
						v, is := strings.CutPrefix(other, t.Rule.Params().Param+"=")
						return is && with(v)
					})
				}
			}
			order := func(text string) string { return fmt.Sprintf("0%04d%s", 9999-len(text), text) }
			all = append(all, named{Exception{Scope: rule.Scope{Where: rule.WhereOwn(t.Rule.Params().Param, value)}}, order(value) + "\x00", own(func(v string) bool { return v == value })})
			for k := 1; k <= len(value); k++ {
				if dust.Boundary(value, k) {
					all = append(all, named{Exception{Scope: rule.Scope{Where: rule.WhereOwnBegins(t.Rule.Params().Param, value[:k])}}, order(value[:k]) + "\x01", own(func(v string) bool { return strings.HasPrefix(v, value[:k]) })})
				}
			}
		}
		for k := 1; k <= len(f); k++ {
			if dust.Boundary(f, k) {
				all = append(all, named{Exception{Scope: rule.Scope{Prefix: f[:k]}}, fmt.Sprintf("3%04d%s", 9999-k, f[:k]), func(g string) bool { return strings.HasPrefix(g, f[:k]) }})
			}
		}
	}
	count := func(n *named, forms []string) (k int) {
		for _, f := range forms {
			if n.has(f) {
				k++
			}
		}
		return k
	}
	all = slices.DeleteFunc(all, func(n named) bool {
		if n.order[0] == '0' && len(t.Negatives) < 3 && 10*count(&n, t.Pairs) > len(t.Pairs) {
			return true
		}
		return count(&n, t.Negatives) < len(t.Negatives) || count(&n, t.Positives) > 0 && 5*count(&n, t.Positives) >= len(t.Positives)
	})
	if len(all) == 0 {
		return Exception{URL: t.Negatives[0]}, len(t.Negatives) == 1 && !t.NoURL
	}
	best := slices.MinFunc(all, func(a, b named) int {
		if d := count(&a, t.Positives) - count(&b, t.Positives); d != 0 {
			return d
		}
		if (a.order[0] == '0') != (b.order[0] == '0') {
			return strings.Compare(a.order, b.order)
		}
		if d := count(&b, t.Pairs) - count(&a, t.Pairs); d != 0 {
			return d
		}
		return strings.Compare(a.order, b.order)
	})
	return best.e, true
}

var rules = []rule.Rule{
	{Edit: rule.Drop{Param: "d"}},
	{Edit: rule.Drop{Param: "d", Value: "1", HasValue: true}},
	{Edit: rule.Set{Param: "d", Value: "1"}},
	{Edit: rule.Substring{From: "b", To: "c"}},
}

// draw returns random forms that the rules may change.
func draw(rng *rand.Rand, n int) (forms []string) {
	for range n {
		d := []string{"0", "1", "2", "1-a", "1-b", "w-1", fmt.Sprint("v.", rng.IntN(30)), "", "1&d=2"}[rng.IntN(9)]
		forms = append(forms, fmt.Sprintf("/%c/%c?%c=%d&d=%s", "ab"[rng.IntN(2)], "bcd"[rng.IntN(3)], "mn"[rng.IntN(2)], rng.IntN(2), d))
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

func TestChooseIsTheDefinition(t *testing.T) {
	found, none, own := 0, 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pairs := draw(rng, 4+rng.IntN(60))
		shuffled := slices.Clone(pairs)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		bad := 1 + rng.IntN(3)
		tried := bad + rng.IntN(len(shuffled)-bad+1)
		c := Trial{Rule: &rules[rng.IntN(len(rules))], Negatives: shuffled[:bad], Positives: shuffled[bad:tried], Pairs: pairs, NoURL: rng.IntN(2) == 0}
		got, ok := c.Choose()
		want, has := plain(&c)
		if ok != has || ok && got != want {
			t.Fatalf("seed %d, rule %s: %v %v, want %v %v\nnegatives %q\npositives %q", seed, c.Rule.Words(), got, ok, want, has, c.Negatives, c.Positives)
		}
		switch {
		case !ok:
			none++
		case got.Scope.Where[0].Own:
			own++
		default:
			found++
		}
	}
	if found < 300 || none < 300 || own < 60 {
		t.Errorf("the test draws too little: %d exceptions, %d by own values, %d times none", found, own, none)
	}
}

func TestChoose(t *testing.T) {
	pages := func(format string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return all
	}
	image, days := &rule.Rule{Edit: rule.Drop{Param: "image"}}, &rule.Rule{Edit: rule.Set{Param: "days", Value: "7"}}
	for _, c := range []struct {
		name  string
		trial Trial
		want  Exception
	}{
		{"one picture of many numbers", Trial{Rule: image, Negatives: []string{"/w/Main_Page?image=wiki.png"}, Positives: pages("/w/Page_%d?image=2", 12), Pairs: append(pages("/w/Page_%d?image=2", 170), "/w/A?image=wiki.png")},
			Exception{Scope: rule.Scope{Where: rule.WhereOwn("image", "wiki.png")}}},
		{"pictures of one kind", Trial{Rule: image, Negatives: []string{"/w/A?image=wiki-1", "/w/B?image=wiki-2"}, Positives: pages("/w/Page_%d?image=2", 12), Pairs: append(pages("/w/Page_%d?image=2", 170), pages("/w/A?image=wiki-%d", 9)...)},
			Exception{Scope: rule.Scope{Where: rule.WhereOwnBegins("image", "wiki-")}}},
		{"one main page", Trial{Rule: image, Negatives: []string{"/w/Main_Page?image=2"}, Positives: pages("/w/Page_%d?image=2", 12), Pairs: pages("/w/Page_%d?image=2", 170)},
			Exception{Scope: rule.Scope{Path: "/w/Main_Page", HasPath: true}}},
		{"one value of another parameter", Trial{Rule: days, Negatives: []string{"/a?feed=atom&days=3", "/b?feed=atom&days=3"}, Positives: pages("/a?x=%d&days=3", 12), Pairs: []string{"/b?feed=atom&days=3", "/c?feed=atom&days=30"}},
			Exception{Scope: rule.Scope{Where: rule.With("feed")}}},
		{"a language", Trial{Rule: image, Negatives: []string{"/de/p1?image=3", "/de/p7?image=3"}, Positives: pages("/en/p%d?image=1", 20), Pairs: pages("/de/p%d?image=3", 9)},
			Exception{Scope: rule.Scope{Prefix: "/de/"}}},
		{"the main page, whose path is its own", Trial{Rule: &rule.Rule{Edit: rule.Substring{From: "/", AtStart: true, To: "/w/"}}, Negatives: []string{"/"}, Positives: pages("/p%d", 9), Pairs: pages("/p%d", 9)},
			Exception{Scope: rule.Scope{Path: "/", HasPath: true}}},
		{"a URL that only its end tells apart", Trial{Rule: &rule.Rule{Edit: rule.Substring{From: "w", To: "v"}}, Negatives: []string{"/w?t=A"}, Positives: pages("/w?t=A&x=%d", 9), Pairs: pages("/w?t=A&x=%d", 9)},
			Exception{URL: "/w?t=A"}},
		{"a session that never comes again", Trial{Rule: &rule.Rule{Edit: rule.Drop{Param: "sid"}}, Later: true, Negatives: []string{"/a/52?sid=5051"},
			Positives: append(pages("/a/%d?sid=7", 60), "/a/52?sid=8"), Pairs: pages("/a/%d?sid=7", 60)}, Exception{Scope: rule.Scope{Path: "/a/52", HasPath: true}}},
		{"a value of many pages", Trial{Rule: &rule.Rule{Edit: rule.Drop{Param: "sid"}}, Later: true, Negatives: []string{"/a?lang=de&sid=5051"},
			Positives: append(pages("/a?lang=en&x=%d&sid=7", 60), "/b?lang=de&sid=8"), Pairs: pages("/b?lang=de&x=%d&sid=7", 60)}, Exception{Scope: rule.Scope{Where: rule.Where("lang", "de")}}},
	} {
		if got, ok := c.trial.Choose(); !ok || got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Single URLs are not excepted for several negatives, nor when there are enough.
func TestNoSingleURL(t *testing.T) {
	w := &rule.Rule{Edit: rule.Substring{From: "w", To: "v"}}
	for _, test := range []struct {
		name string
		want Trial
	}{
		{"two negatives", Trial{Rule: w, Negatives: []string{"/w?t=A", "/w?t=A&x=1"}, Positives: []string{"/w?t=A&x=2", "/w?t=A&x=3"}}},
		{"enough", Trial{Rule: w, Negatives: []string{"/w?t=A"}, Positives: []string{"/w?t=A&x=2", "/w?t=A&x=3"}, NoURL: true}},
		{"none", Trial{Rule: w, Positives: []string{"/w?t=A&x=2"}}},
	} {
		if got, ok := test.want.Choose(); ok {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// A text that must not be published is in no exception.
func TestHides(t *testing.T) {
	c := Trial{Rule: &rule.Rule{Edit: rule.Drop{Param: "d"}}, Negatives: []string{"/u/secret?d=1"}, Positives: []string{"/a?d=1", "/b?d=1", "/c?d=1", "/d?d=1"},
		Hides: func(text string) bool { return strings.Contains(text, "secret") }}
	if got, ok := c.Choose(); !ok || got.Scope.Prefix == "" || strings.Contains(got.Scope.Prefix, "secret") {
		t.Errorf("%+v", got)
	}
	c.Hides = func(string) bool { return true }
	if got, ok := c.Choose(); ok {
		t.Errorf("%+v is published", got)
	}
}

// An own value that looks like a secret is no property, nor is its beginning.
func TestHidesOwn(t *testing.T) {
	c := Trial{Rule: &rule.Rule{Edit: rule.Drop{Param: "d"}}, Negatives: []string{"/a?d=w-secret", "/b?d=w-1"}}
	for _, p := range []string{"/a", "/b", "/c", "/d", "/e"} {
		c.Positives = append(c.Positives, p+"?d=1")
	}
	c.Pairs = append(slices.Repeat(c.Positives, 20), c.Negatives...)
	if got, ok := c.Choose(); !ok || got.Scope.Where != rule.WhereOwnBegins("d", "w-") {
		t.Errorf("without secrets: %+v", got)
	}
	c.Hides = func(text string) bool { return strings.Contains(text, "secret") }
	if got, ok := c.Choose(); ok && got.Scope.Where[0].Own {
		t.Errorf("%+v is published", got)
	}
	c.Negatives, c.Hides = c.Negatives[1:], func(text string) bool { return text == "d" }
	if got, ok := c.Choose(); ok && got.Scope.Where[0].Own {
		t.Errorf("the name is secret, and %+v is published", got)
	}
}

// An own value of more than a tenth of the pairs needs three negatives.
func TestManyPairsOfOneOwnValue(t *testing.T) {
	c := Trial{Rule: &rule.Rule{Edit: rule.Drop{Param: "d"}}}
	for i := range 40 {
		c.Positives = append(c.Positives, fmt.Sprintf("/p%d/a?d=%d", i%2, 100+i))
	}
	for i := range 5 {
		c.Negatives = append(c.Negatives, fmt.Sprintf("/p%d/b%d?d=7", i%2, i))
	}
	all := c.Negatives
	c.Pairs = append(slices.Clone(c.Positives), all...)
	for n := 1; n <= 5; n++ {
		c.Negatives = all[:n]
		if got, ok := c.Choose(); got.Scope.Where[0].Own != (n >= 3) {
			t.Errorf("%d negatives: %+v %v", n, got, ok)
		}
	}
}

func TestMayExplain(t *testing.T) {
	for _, c := range []struct {
		bad, good int
		share     float64
		want      bool
	}{{0, 50, 0, false}, {1, 3, 1, false}, {1, 4, 1, true}, {3, 11, 1, false}, {3, 12, 1, true}, {4, 35, 1, false}, {4, 36, 1, true},
		{10, 89, 1, false}, {10, 90, 1, true}, {6, 24, 0.05, true}, {6, 24, 0.11, false}, {6, 23, 0.05, false}} {
		trial := Trial{Negatives: make([]string, c.bad), Positives: make([]string, c.good), Share: c.share}
		if got := trial.MayExplain(); got != c.want {
			t.Errorf("%d negatives, %d positives: %v", c.bad, c.good, got)
		}
	}
}
