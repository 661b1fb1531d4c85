package canon

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
)

var long = flag.Bool("long", false, "more random rules and URLs")

// atLength returns few, or many with -long. The flag of package worlds would need the modules of the parsers
// of logs, which crawlers that use canon do not have.
func atLength(few, many int) int {
	if *long {
		return many
	}
	return few
}

// world draws rules and URLs from few and short words, so that rules and URLs meet.
type world struct {
	*rand.Rand
	words []string
}

func newWorld(seed uint64) world {
	all := []string{"a", "b", "a1", "/", "/", ".", "?", "&", ";", "=", "&", "=", "-", "index", "abcdefgh", "abcdefghi", "abcdefghijklmnopq", "ijklmnopq",
		"%", "%4", "4", "%41", "%2F", "%E0%B8%81", "//", ";a", "a12345678", "1234", "A", "%c3"}
	w := world{rand.New(rand.NewPCG(seed, 7)), nil}
	for range 4 + w.IntN(8) {
		w.words = append(w.words, all[w.IntN(len(all))])
	}
	return w
}

func (w world) text(most int) string {
	var b strings.Builder
	for range w.IntN(most + 1) {
		b.WriteString(w.words[w.IntN(len(w.words))])
	}
	return b.String()
}

func (w world) url() string {
	switch w.IntN(6) {
	case 0:
		return w.text(9)
	case 3:
		return w.pathURL()
	case 1:
		return "/" + w.text(9)
	case 2:
		return w.shaped()
	}
	return "/" + w.text(2) + "?" + w.text(12)
}

func (w world) name() string {
	return strings.NewReplacer("=", "", "&", "", ";", "", "?", "").Replace("a" + w.text(1))
}

func (w world) scope() (s rule.Scope) {
	if w.IntN(3) == 0 {
		s.HasPath, s.Path = true, strings.ReplaceAll("/"+w.text(1), "?", "")
		if w.IntN(3) == 0 {
			s.Path = "/*" + s.Path
		}
	}
	for i := range w.IntN(3) * w.IntN(2) {
		s.Where[i] = w.condition()
	}
	if w.IntN(4) == 0 {
		s.Prefix = "/" + w.text(1)
	}
	return s
}

func (w world) rule() rule.Rule {
	var r rule.Rule
	kind := rule.Kind(w.IntN(rule.Kinds()))
	if w.IntN(2) == 0 {
		r.Scope = w.scope()
	}
	if w.IntN(3) == 0 {
		r.Except = w.except()
	}
	switch kind {
	case rule.KindSubstring:
		e := rule.Substring{From: w.text(3), To: w.text(2), AtStart: w.IntN(4) == 0, AtEnd: w.IntN(4) == 0}
		if w.IntN(200) == 0 {
			e.To = strings.Repeat(e.To, 600)
		}
		r.Edit = e
	case rule.KindRewrite:
		r.Edit = rule.Rewrite{Template: w.template()}
	case rule.KindSyntax:
		r.Edit = rule.Syntax{Form: rule.Slashes + rule.Form(w.IntN(5))}
	case rule.KindDrop:
		r.Edit = w.drop()
	case rule.KindSegment:
		r.Edit = w.segment()
	case rule.KindSet:
		r.Edit = rule.Set{Value: strings.NewReplacer("&", "", ";", "").Replace(w.text(1)), Param: w.name()}
	case rule.KindOrder:
		r.Edit = rule.Order{}
	}
	if r.HasOneName() && w.IntN(4) == 0 {
		if e, err := r.Except.With(w.own(r.Params().Param)); err == nil {
			r.Except = e
		}
	}
	return r
}

// except returns a few exceptions, or none if they are not valid.
func (w world) except() rule.Except {
	var scopes []rule.Scope
	var urls []string
	for range w.IntN(3) {
		scopes = append(scopes, w.scope())
	}
	for range w.IntN(3) {
		urls = append(urls, w.url())
	}
	e, err := rule.NewExcept(scopes, urls)
	if err != nil {
		return rule.Except{}
	}
	return e
}

// own returns an exception by the value of the rule's own parameter.
func (w world) own(param string) rule.Scope {
	s := rule.Scope{Where: rule.WhereOwn(param, strings.NewReplacer("&", "", ";", "").Replace(w.text(1)))}
	if value := s.Where[0].Value; value != "" && w.IntN(2) == 0 {
		s.Where = rule.WhereOwnBegins(param, value[:1+w.IntN(len(value))])
	}
	if w.IntN(4) == 0 {
		s.Where[1] = w.condition()
	}
	return s
}

// drop makes a drop of a name, of several names, of a value, or of a pattern of names.
func (w world) drop() rule.Drop {
	d := rule.Drop{Param: w.name(), InPath: w.IntN(3) == 0}
	switch w.IntN(8) {
	case 0:
		d.Other = w.others()
	case 1:
		d.HasValue, d.Value = true, strings.NewReplacer("&", "", ";", "", "/", "", "?", "").Replace(w.text(1))
	case 2:
		d.Param, d.Pattern = "", rule.Pattern{Prefix: "a"[:w.IntN(2)], Class: rule.Digits + rule.Class(w.IntN(2))}
	}
	return d
}

// others returns the names of a drop behind the first: mostly one, at times as many as a drop may have.
func (w world) others() string {
	names := []string{w.name()}
	for w.IntN(3) == 0 {
		names = append(names, w.name())
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ";")
}

// segment makes a rule of a segment at a depth of at most two.
func (w world) segment() rule.Segment {
	e := rule.Segment{Class: rule.Digits + rule.Class(w.IntN(2)), After: "/", To: "/"}
	for range w.IntN(3) {
		e.After += w.words[w.IntN(len(w.words))] + "/"
	}
	if w.IntN(2) == 0 {
		e.To = e.After
	}
	return e
}

// pathURL returns a URL of words between slashes, some of them values.
func (w world) pathURL() string {
	url := ""
	for range 1 + w.IntN(5) {
		url += "/" + w.one(w.words[w.IntN(len(w.words))], "1234", "123", "0123456789", "0a1b2c3d", "0A1B2C3D", "0a1B2c3d", "abcdefab", "0a1b2c3g", "")
	}
	return url + w.one("", "", "/", "?a=1")
}

func (w world) one(words ...string) string { return words[w.IntN(len(words))] }

func (w world) condition() rule.Condition {
	c := rule.Condition{Param: w.name()}
	switch w.IntN(3) {
	case 0:
		c.HasValue, c.Value = true, strings.NewReplacer("&", "", ";", "").Replace(w.text(1))
	case 1:
		c.Valued = true
	}
	return c
}

// list returns at most most valid rules.
func (w world) list(most int) (rules []rule.Rule) {
	for range w.IntN(most + 1) {
		if r := w.rule(); r.Validate() == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

func compile(t testing.TB, rules []rule.Rule) *Canonizer {
	t.Helper()
	c, err := Compile(rules)
	must(t, err)
	return c
}

// same compares a canonizer with the plain loop on one URL, and follows its steps. dst is
// reused, and its content must not matter.
func same(t testing.TB, c *Canonizer, rules []rule.Rule, url string, dst []byte) {
	t.Helper()
	want, wantEnd := naiveCanon(rules, url)
	in := []byte(url)
	out, end := c.Canon(dst, in)
	if string(out) != want || end != wantEnd || string(in) != url {
		t.Fatalf("rules %+v, url %q: %q, %+v; want %q, %+v", rules, url, out, end, want, wantEnd)
	}
	if end.Changed() != (want != url) || !end.Changed() && len(url) > 0 && &out[0] != &in[0] {
		t.Fatalf("rules %+v, url %q: %+v, and out is not url", rules, url, end)
	}
	if strings.HasPrefix(url, "/") && !strings.HasPrefix(want, "/") {
		t.Fatalf("rules %+v, url %q: %q is no path", rules, url, want)
	}
	text := url
	for rank, next := range c.Steps(in) {
		after := naiveApply(rules[rank], text)
		if after == text || after != string(next) {
			t.Fatalf("rules %+v, url %q: rule %d made %q of %q, want %q", rules, url, rank, next, text, after)
		}
		text = after
	}
	if end.End == Settled && text != want {
		t.Fatalf("rules %+v, url %q: the steps end at %q, want %q", rules, url, text, want)
	}
}

// One rule, applied once, over all short URLs: substrings of all short texts and all
// anchors.
func TestApplySubstringSmallWorld(t *testing.T) {
	applySubstrings(t, oracle.Strings("a1/?&=", 2), oracle.Strings("a1/?&=", 4))
	applySubstrings(t, oracle.Strings("%40/", 3), oracle.Strings("%40/", atLength(5, 6)))
}

func applySubstrings(t *testing.T, sides, urls []string) {
	t.Helper()
	for _, from := range sides {
		for anchors := range 4 {
			for _, to := range []string{"", "a", "?/", "%4"} {
				r := rule.Rule{Edit: rule.Substring{From: from, To: to, AtStart: anchors&1 > 0, AtEnd: anchors&2 > 0}}
				if from != to {
					applySame(t, r, urls)
				}
			}
		}
	}
}

// Parameters, with all kinds of scope.
func TestApplyParamSmallWorld(t *testing.T) {
	var urls []string
	for _, query := range oracle.Strings("ab&=;?", 5) {
		urls = append(urls, "/?"+query)
	}
	urls = append(urls, "", "?", "?a", "a", "/a", "/a?a=b&b")
	path := rule.Scope{HasPath: true, Path: "/"}
	scopes := []rule.Scope{{}, path, {Prefix: "/?a"}, {Where: rule.With("b")}, {HasPath: true},
		{Where: rule.Where("b", "")}, {Where: rule.Where("a", "b=")}}
	for _, scope := range scopes {
		for _, name := range []string{"a", "b", "ab", "a?"} {
			applySame(t, rule.Rule{Edit: rule.Drop{Param: name}, Scope: scope}, urls)
			applySame(t, rule.Rule{Edit: rule.Set{Param: name}, Scope: scope}, urls)
			applySame(t, rule.Rule{Edit: rule.Set{Param: name, Value: "b"}, Scope: scope}, urls)
		}
		applySame(t, rule.Rule{Edit: rule.Substring{From: "a", To: "/b"}, Scope: scope}, urls)
	}
}

func applySame(t *testing.T, r rule.Rule, urls []string) {
	t.Helper()
	must(t, r.Validate())
	c := compile(t, []rule.Rule{r})
	for _, url := range urls {
		want := naiveApply(r, url)
		out, changed := r.Apply([]byte("x"), []byte(url))
		if changed != (want != url) || changed && string(out) != "x"+want || !changed && string(out) != "x" {
			t.Fatalf("%+v on %q: %q (%v), want %q", r, url, out, changed, want)
		}
		first, _ := firstStep(c, url)
		if changed && string(first) != want || !changed && first != nil {
			t.Fatalf("%+v on %q: the first step is %q, want %q", r, url, first, want)
		}
	}
}

func firstStep(c *Canonizer, url string) ([]byte, int) {
	for rank, text := range c.Steps([]byte(url)) {
		return append([]byte{}, text...), rank
	}
	return nil, -1
}

// Every list of two rules over a small world: the second rule edits, undoes, or grows the
// result of the first.
func TestCanonSmallWorld(t *testing.T) {
	var all []rule.Rule
	for _, from := range []string{"", "a", "/", "a/", "?"} {
		for _, to := range []string{"", "a", "//", "?a"} {
			if from != to {
				all = append(all, rule.Rule{Edit: rule.Substring{From: from, To: to}}, rule.Rule{Edit: rule.Substring{From: from, To: to, AtStart: true}}, rule.Rule{Edit: rule.Substring{From: from, To: to, AtEnd: true}})
			}
		}
	}
	all = append(all, rule.Rule{Edit: rule.Drop{Param: "a"}}, rule.Rule{Edit: rule.Set{Param: "a", Value: "a"}},
		rule.Rule{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Prefix: "/a"}})
	urls := oracle.Strings("a/?", 3)
	for _, first := range all {
		for _, second := range all {
			rules := []rule.Rule{first, second}
			c := compile(t, rules)
			for _, url := range urls {
				same(t, c, rules, url, nil)
			}
		}
	}
}

// Random lists, short and long, over random URLs, with a reused buffer.
func TestCanonRandom(t *testing.T) {
	ends, rounds := map[End]int{}, 0
	for seed := range uint64(atLength(2000, 5000)) {
		w := newWorld(seed)
		most := 6
		if seed%50 == 0 {
			most = 300 // more candidates than the window holds
		}
		rules := w.list(most)
		c := compile(t, rules)
		var dst []byte
		for range 10 {
			url := w.url()
			same(t, c, rules, url, dst)
			out, end := c.Canon(dst, []byte(url))
			ends[end.End]++
			if end.Changed() {
				rounds = max(rounds, end.Rounds)
				dst = out
			}
		}
	}
	t.Logf("ends %v, up to %d rounds", ends, rounds)
	if len(ends) != 3 || rounds < 4 {
		t.Errorf("ends %v, up to %d rounds: the worlds are too dull", ends, rounds)
	}
}

// Lists of realistic size, and lists longer than the window of candidates, over URLs of
// realistic shape.
func TestCanonSite(t *testing.T) {
	pages := oracle.Site(1, 100000)
	for _, test := range []struct{ given, step int }{{1000, 197}, {10000, 1997}} {
		rules := siteRules(pages, test.given)
		c := compile(t, rules)
		for i := 0; i < len(pages); i += test.step {
			same(t, c, rules, pages[i].URL, nil)
		}
	}
}

// A canonical form is its own canonical form, and URLs without an Unsafe result settle.
func TestIdempotent(t *testing.T) {
	safe := 0
	for seed := range uint64(2000) {
		w := newWorld(seed)
		rules := w.list(8)
		var urls [][]byte
		for range 20 {
			urls = append(urls, []byte(w.url()))
		}
		for {
			c := compile(t, rules)
			url, rank := c.Unsafe(slices.Values(urls))
			if rank < 0 {
				break
			}
			if _, end := naiveCanon(rules, string(url)); end.End == Settled {
				t.Fatalf("%q is not unsafe under %+v", url, rules)
			}
			rules = slices.Delete(rules, rank, rank+1)
		}
		c := compile(t, rules)
		for _, url := range urls {
			once, end := c.Canon(nil, url)
			twice, again := c.Canon(nil, once)
			if end.End != Settled || again.End != Settled || again.Rounds != 0 || string(once) != string(twice) {
				t.Fatalf("%+v: %q, %q (%+v), %q (%+v)", rules, url, once, end, twice, again)
			}
			safe += end.Rounds
		}
	}
	if safe < 1000 {
		t.Errorf("only %d rounds in all", safe)
	}
}

// The automaton finds a rule by its prefix if it is rarer than the edited text.
func TestPrefixIsTrigger(t *testing.T) {
	urls := oracle.Strings("%41F-", 4)
	for i := range urls {
		urls[i] = "/" + urls[i] + "-x"
	}
	for _, prefix := range oracle.Strings("%41F-", 3) {
		rules := []rule.Rule{{Edit: rule.Substring{From: "x", To: "y"}, Scope: rule.Scope{Prefix: "/" + prefix}}, {Edit: rule.Substring{From: "x", To: "z"}, Scope: rule.Scope{Prefix: "/none"}}}
		c := compile(t, rules)
		for _, url := range urls {
			same(t, c, rules, url, nil)
		}
	}
}
