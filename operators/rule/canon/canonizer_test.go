package canon

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

func TestCanon(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules []rule.Rule
		url   string
		want  string
		end   Outcome
	}{
		{"none", nil, "/a", "/a", Outcome{}},
		{"in order, and again", []rule.Rule{{Edit: rule.Substring{From: "b", To: "c"}}, {Edit: rule.Substring{From: "a", To: "b"}}}, "/a", "/c", Outcome{2, Settled}},
		{"leftmost on boundaries", []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}}, "/aa/a1/a", "/aa/a1/b", Outcome{1, Settled}},
		{"one a round", []rule.Rule{{Edit: rule.Substring{From: "/a", To: ""}}}, strings.Repeat("/a", 10), "/a", Outcome{9, Settled}},
		{"one too many", []rule.Rule{{Edit: rule.Substring{From: "/a", To: ""}}}, strings.Repeat("/a", 11), strings.Repeat("/a", 11), Outcome{10, Restless}},
		{"there and back in a round", []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}, {Edit: rule.Substring{From: "b", To: "a"}}}, "/a", "/a", Outcome{}},
		{"there and back in two", []rule.Rule{{Edit: rule.Substring{From: "a", To: "b", AtEnd: true}}, {Edit: rule.Substring{From: "b.", To: "a", AtEnd: true}}, {Edit: rule.Substring{From: "b", To: "b."}}}, "/a", "/a", Outcome{10, Restless}},
		{"empty at both ends", []rule.Rule{{Edit: rule.Substring{To: "/", AtStart: true, AtEnd: true}}}, "", "/", Outcome{1, Settled}},
		{"empty, not both ends", []rule.Rule{{Edit: rule.Substring{To: "/", AtStart: true, AtEnd: true}}}, "/", "/", Outcome{}},
		{"grows", []rule.Rule{{Edit: rule.Substring{To: strings.Repeat("x", 500), AtEnd: true}}}, "/x", "/x", Outcome{4, TooLong}},
		{"grows once", []rule.Rule{{Edit: rule.Substring{From: "/", To: "/en/", AtStart: true}}}, "/a", "/en/a", Outcome{1, Settled}},
		{"keeps the first slash", []rule.Rule{{Edit: rule.Substring{From: "/feed"}}, {Edit: rule.Substring{From: "/a", To: "a"}}, {Edit: rule.Substring{To: "x", AtStart: true}}}, "/feed/a/a?a/feed", "/aa?a", Outcome{2, Settled}},
		{"is there already", []rule.Rule{{Edit: rule.Substring{From: "/", To: "/en/", AtStart: true}}}, "/en/a", "/en/a", Outcome{}},
		{"another word is there", []rule.Rule{{Edit: rule.Substring{From: "/", To: "/en/", AtStart: true}}}, "/en-us/a", "/en/en-us/a", Outcome{1, Settled}},
		{"grows within and at the end", []rule.Rule{{Edit: rule.Substring{From: "b", To: "a-b-c"}}, {Edit: rule.Substring{From: "", To: "/index", AtEnd: true}}}, "/a-b/b", "/a-a-b-c/a-b-c/index", Outcome{2, Settled}},
		{"too long to begin with", []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}}, "/a" + strings.Repeat("/", rule.MaxBytes), "/a" + strings.Repeat("/", rule.MaxBytes), Outcome{0, TooLong}},
		{"long words", []rule.Rule{{Edit: rule.Substring{From: "abcdefgh", To: "1"}}, {Edit: rule.Substring{From: "ijklmnop", To: "2"}}, {Edit: rule.Substring{From: "abcdefghijklmnop", To: "3"}}},
			"/abcdefghijklmnop/ijklmnop/abcdefghi/abcdefgh", "/3/2/abcdefghi/1", Outcome{1, Settled}},
		{"scope that comes and goes", []rule.Rule{{Edit: rule.Substring{From: "/x", To: "/y", AtStart: true}}, {Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Prefix: "/y"}},
			{Edit: rule.Substring{From: "/y", To: "/z", AtStart: true}}}, "/x?a=1", "/z", Outcome{1, Settled}},
		{"value on a path", []rule.Rule{{Edit: rule.Set{Param: "a", Value: "0"}, Scope: rule.Scope{HasPath: true, Path: "/x", Where: rule.Where("b", "")}}},
			"/x?a;b=&a=1", "/x?a=0;b=&a=0", Outcome{1, Settled}},
		{"bytes no rule holds", []rule.Rule{{Edit: rule.Substring{From: "i", To: "j"}}}, "/\xe9\x80i\x00i", "/\xe9\x80j\x00j", Outcome{2, Settled}},
	} {
		out, end := compile(t, c.rules).Canon(nil, []byte(c.url))
		if string(out) != c.want || end != c.end {
			t.Errorf("%s: %q, %+v, want %q, %+v", c.name, out, end, c.want, c.end)
		}
		same(t, compile(t, c.rules), c.rules, c.url, nil)
	}
}

func TestUnsafe(t *testing.T) {
	c := compile(t, []rule.Rule{{Edit: rule.Substring{From: "c", To: "a"}}, {Edit: rule.Substring{From: "a", To: "b", AtEnd: true}}, {Edit: rule.Substring{From: "x", To: "b."}}, {Edit: rule.Substring{From: "b", To: "a/a"}}})
	urls := [][]byte{[]byte("/x/y"), bytes.Repeat([]byte("a"), rule.MaxBytes+1), []byte("/c"), []byte("/a")}
	if url, rank := c.Unsafe(slices.Values(urls)); string(url) != "/c" || rank != 3 {
		t.Errorf("%q, rank %d", url, rank)
	}
	if url, rank := c.Unsafe(slices.Values(urls[:2])); url != nil || rank != -1 {
		t.Errorf("%q, rank %d", url, rank)
	}
}

// A loop over Steps can break at any step.
func TestStepsBreak(t *testing.T) {
	c := compile(t, []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}, {Edit: rule.Substring{From: "b", To: "c"}}})
	for rank, text := range c.Steps([]byte("/a")) {
		if rank != 0 || string(text) != "/b" {
			t.Errorf("rule %d, %q", rank, text)
		}
		break
	}
}

func TestCanonAllocations(t *testing.T) {
	long := strings.Repeat("word", 20)
	c := compile(t, []rule.Rule{
		{Edit: rule.Substring{From: "a", To: "b"}}, {Edit: rule.Substring{From: long, To: "short"}}, {Edit: rule.Substring{From: "grow", To: "grow/grow"}}, {Edit: rule.Substring{From: "p", To: "q"}}, {Edit: rule.Substring{From: "q", To: "p"}},
		{Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Set{Param: "sort", Value: "0"}},
		{Edit: rule.Substring{From: "/y", To: "/z"}, Scope: rule.Scope{HasPath: true, Path: "/y", Where: rule.Where("v", "1")}},
	})
	dst := make([]byte, 0, 4*rule.MaxBytes)
	for _, url := range []string{"/", "/still/nothing.html?x=1&sort=0", "/a", "/" + long + "?sid=1", "/x?sort=1;sid", "/grow", "/p", "/y?v=1", "/y?v=2"} {
		in := []byte(url)
		if n := testing.AllocsPerRun(100, func() { c.Canon(dst, in) }); n != 0 {
			t.Errorf("%q: %v allocations", url, n)
		}
		if _, end := c.Canon(nil, in); !end.Changed() && end.End == Settled && url != "/p" {
			if n := testing.AllocsPerRun(100, func() { c.Canon(nil, in) }); n != 0 {
				t.Errorf("%q without a buffer: %v allocations", url, n)
			}
		}
	}
}

func TestCanonicalAllocations(t *testing.T) {
	s := trySites(t)
	for _, c := range []struct {
		url  string
		want float64
	}{
		{"http://h.example/still?x=1", 0}, {"http://h.example/" + strings.Repeat("still/", 300), 0}, {"https://other.example/a#b", 0},
		{"http://example.co.uk/still", 0}, {"http://a.b.example.co.uk/still", 1}, {"HTTP://h.example:8080/still", 0},
		{"http://h.example/a?sid=1", 1}, {"http://h.example/a#b", 1},
	} {
		if n := testing.AllocsPerRun(100, func() { s.Canonical(c.url) }); n != c.want {
			t.Errorf("%q: %v allocations, want %v", c.url, n, c.want)
		}
	}
}

// A canonizer holds its own copy of the list.
func TestCompileCopies(t *testing.T) {
	rules := []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}}
	c := compile(t, rules)
	rules[0].Edit = rule.Substring{From: "a", To: "c"}
	if out, _ := c.Canon(nil, []byte("/a")); string(out) != "/b" || c.Len() != 1 || c.Rule(0) != (rule.Rule{Edit: rule.Substring{From: "a", To: "b"}}) {
		t.Errorf("%q, %+v", out, c.Rule(0))
	}
}

// Many goroutines share one canonizer; for the race detector.
func TestConcurrent(t *testing.T) {
	c := compile(t, []rule.Rule{{Edit: rule.Substring{From: "a", To: "b"}}, {Edit: rule.Drop{Param: "sid"}}})
	results := make(chan string)
	for range 8 {
		go func() {
			var out []byte
			for range 100 {
				out, _ = c.Canon(out[:0], []byte("/a?sid=1"))
			}
			results <- string(out)
		}()
	}
	for range 8 {
		if got := <-results; got != "/b" {
			t.Errorf("%q", got)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, r := range []rule.Rule{
		{Edit: rule.Substring{From: "a"}}, {Edit: rule.Substring{To: "a"}}, {Edit: rule.Substring{To: "a", AtStart: true, AtEnd: true}}, {Edit: rule.Substring{From: "?a=^$", To: "\\"}}, {Edit: rule.Substring{From: strings.Repeat("x", rule.MaxBytes)}},
		{Edit: rule.Drop{Param: "a"}}, {Edit: rule.Drop{Param: "x:/?"}}, {Edit: rule.Set{Param: "a"}}, {Edit: rule.Set{Param: "a", Value: "=?"}},
		{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{HasPath: true, Path: "/w", Prefix: "/w?"}}, {Edit: rule.Substring{From: "a"}, Scope: rule.Scope{HasPath: true, Where: rule.Where("m", "")}},
	} {
		if err := r.Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, c := range []struct {
		want string
		rule rule.Rule
	}{
		{`both sides are "a"`, rule.Rule{Edit: rule.Substring{From: "a", To: "a"}}},
		{`both sides are "b"`, rule.Rule{Edit: rule.Substring{From: "b", To: "b"}}},
		{`a rule without an edit`, rule.Rule{}},
		{`text "a b": no URL holds ' '`, rule.Rule{Edit: rule.Substring{From: "a b"}}},
		{`text "\x7f": no URL holds '\x7f'`, rule.Rule{Edit: rule.Substring{From: "a", To: "\x7f"}}},
		{`text "\n": no URL holds '\n'`, rule.Rule{Edit: rule.Drop{Param: "\n"}}},
		{`text "é": no URL holds 'Ã'`, rule.Rule{Edit: rule.Set{Param: "a", Value: "é"}}},
		{`text "#": no URL holds '#'`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Prefix: "#"}}},
		{`2049 bytes "` + strings.Repeat("x", 32) + `"`, rule.Rule{Edit: rule.Substring{From: strings.Repeat("x", rule.MaxBytes+1)}}},
		{`the parameter has no name`, rule.Rule{Edit: rule.Drop{}}},
		{`value "1" is set, but HasValue is not`, rule.Rule{Edit: rule.Drop{Param: "a", Value: "1"}}},
		{`names "b" and "a" are not two names in byte order`, rule.Rule{Edit: rule.Drop{Param: "b", Other: "a"}}},
		{`several names have the value "1"`, rule.Rule{Edit: rule.Drop{Param: "a", Other: "b", HasValue: true, Value: "1"}}},
		{`a drop of 7 names, want 1 to 6`, rule.Rule{Edit: rule.DropOf("a", "b", "c", "d", "e", "f", "g")}},
		{`names "b" and "" are not two names in byte order`, rule.Rule{Edit: rule.Drop{Param: "a", Other: "b;"}}},
		{`a pattern of names stands beside a name or value`, rule.Rule{Edit: rule.Drop{Param: "a", Pattern: rule.Pattern{Class: rule.Hex}}}},
		{`class 7 of names is unknown`, rule.Rule{Edit: rule.Drop{Pattern: rule.Pattern{Class: 7}}}},
		{`form 9 is unknown`, rule.Rule{Edit: rule.Syntax{Form: 9}}},
		{`scope: path "/*/a/*/" has several segments *`, rule.Rule{Edit: rule.Order{}, Scope: rule.Scope{HasPath: true, Path: "/*/a/*/"}}},
		{`scope: the conditions on "b" and "a" are not two in order`, rule.Rule{Edit: rule.Order{}, Scope: rule.Scope{Where: [2]rule.Condition{{Param: "b"}, {Param: "a"}}}}},
		{`scope: a condition asks for one value and for any`, rule.Rule{Edit: rule.Order{}, Scope: rule.Scope{Where: [2]rule.Condition{{Param: "b", HasValue: true, Valued: true}}}}},
		{`parameter "a=b" holds a separator`, rule.Rule{Edit: rule.Drop{Param: "a=b"}}},
		{`value "1&b" holds a separator`, rule.Rule{Edit: rule.Set{Param: "a", Value: "1&b"}}},
		{`scope: path "/" is set, but HasPath is not`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Path: "/"}}},
		{`scope: value "1" is set, but HasValue is not`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Where: [2]rule.Condition{{Param: "m", Value: "1", HasValue: false}}}}},
		{`scope: value "" without a parameter`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Where: rule.Where("", "")}}},
		{`scope: path "/?a" holds a question mark`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{HasPath: true, Path: "/?a"}}},
		{`scope: parameter "m;" holds a separator`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Where: rule.With("m;")}}},
		{`scope: value ";" holds a separator`, rule.Rule{Edit: rule.Substring{From: "a"}, Scope: rule.Scope{Where: rule.Where("m", ";")}}},
	} {
		if err := c.rule.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.rule, err, c.want)
		}
	}
}

func TestCompileBounds(t *testing.T) {
	for _, c := range []struct {
		want  string
		rules []rule.Rule
	}{
		{"compile rules: 131073 rules, at most 131072", make([]rule.Rule, maxRules+1)},
		{"compile rule 1: a rule without an edit", []rule.Rule{{Edit: rule.Substring{From: "a"}}, {}}},
	} {
		if _, err := Compile(c.rules); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// A site of the greatest size needs no more states than an automaton may have.
func TestCompileManyStates(t *testing.T) {
	c := compile(t, hostileRules(rule.MaxSite))
	if n := len(c.automaton.states) - 1; n != maxStates {
		t.Errorf("%d states, want %d", n, maxStates)
	}
	for rank := c.Len() - 20; rank < c.Len(); rank++ { // they have found no room
		r := c.Rule(rank)
		text := r.Sides().From
		if out, end := c.Canon(nil, []byte(text)); (len(out) == 0) != (text[0] != '/') || end.End != Settled {
			t.Errorf("rule %d of %.40q makes %.40q, %+v", rank, text, out, end)
		}
	}
}

// With an automaton that is too small for its triggers, rules are applied as they are by the plain
// loop.
func TestFewStates(t *testing.T) {
	for seed := range uint64(atLength(300, 3000)) {
		w := newWorld(seed)
		rules := w.list(12)
		full := len(compile(t, rules).automaton.states) - 1
		for most := range full + 1 {
			c, err := compileWithin(rules, most)
			must(t, err)
			if n := len(c.automaton.states) - 1; n != max(most, 1) {
				t.Fatalf("%d states of %d, want %d", n, full, most)
			}
			for range 4 {
				same(t, c, rules, w.url(), nil)
			}
		}
	}
}

// hostileRules returns rules of about size bytes. Each byte is a token that no other rule
// shares.
func hostileRules(size int) (rules []rule.Rule) {
	rng := rand.New(rand.NewPCG(1, 1))
	for size > 0 {
		from := make([]byte, rule.MaxBytes)
		for i := range from {
			from[i] = "!/,.-_~:"[rng.IntN(8)]
		}
		rules = append(rules, rule.Rule{Edit: rule.Substring{From: string(from)}})
		size -= rule.MaxBytes
	}
	return rules
}
