package dust

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/oracle"
)

// The tokens of a URL, against the definition: a maximal run of letters and
// digits, or one other byte.
func TestAppendCuts(t *testing.T) {
	for _, s := range append(oracle.Strings("aZ0./", 4), "/story?id=12&sid=9f3c", "\x00\xc3\xa9", "a~b") {
		var want []string
		for rest := s; rest != ""; {
			n := 1
			for IsAlnum(rest[0]) && n < len(rest) && IsAlnum(rest[n]) {
				n++
			}
			want, rest = append(want, rest[:n]), rest[n:]
		}
		cuts := AppendCuts(nil, []byte(s))
		var got []string
		for k := 1; k+2 < len(cuts); k++ {
			got = append(got, s[cuts[k]:cuts[k+1]])
		}
		if !slices.Equal(got, want) || len(cuts) != len(want)+3 || CountTokens([]byte(s)) != len(want)+2 {
			t.Fatalf("%q: tokens %q, count %d, want %q", s, got, CountTokens([]byte(s)), want)
		}
		if cuts[0] != 0 || cuts[1] != 0 || int(cuts[len(cuts)-1]) != len(s) || int(cuts[len(cuts)-2]) != len(s) {
			t.Fatalf("%q: cuts %v", s, cuts)
		}
	}
}

func TestNewPair(t *testing.T) {
	for _, c := range []struct{ a, b, alpha string }{{"a", "bb", "bb"}, {"a", "b", "b"}, {"b", "a", "b"}, {"", "a", "a"}} {
		if p := NewPair(c.a, c.b, true, false); p.Alpha != c.alpha || p.AtStart != true || p.AtEnd {
			t.Errorf("%q and %q: %+v", c.a, c.b, p)
		}
	}
}

// Refines against lemma 5.3 spelled out, over all pairs of short sides.
func TestRefines(t *testing.T) {
	var pairs []Pair
	sides := oracle.Strings("ab.", 2)
	for _, a := range sides {
		for _, b := range sides {
			for anchors := range 4 {
				if Larger(a, b) {
					pairs = append(pairs, Pair{a, b, anchors&1 > 0, anchors&2 > 0})
				}
			}
		}
	}
	for _, p := range pairs {
		for _, q := range pairs {
			if got, want := p.Refines(q), oracle.Refines(oracle.Pair(p), oracle.Pair(q)); got != want {
				t.Fatalf("%+v refines %+v: %v, want %v", p, q, got, want)
			}
		}
	}
}

// Phase 2 against figure 2 in the plain, on lists of which many rules refine
// others with nearly the same support.
func TestRefine(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := oracle.DefaultOptions()
		o.MinSupport = 1 + rng.IntN(3)
		rules := oracle.Likely(o, oracle.Supports(o, oracle.Random(rng, 5+rng.IntN(40))))
		var list []Candidate
		for _, r := range rules {
			list = append(list, Candidate{Pair(r.Pair), r.Support, r.High})
		}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		want := oracle.Refine(rules)
		got := Refine(list)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d rules left, want %d", seed, len(got), len(want))
		}
		for i, r := range want {
			if got[i] != (Candidate{Pair(r.Pair), r.Support, r.High}) {
				t.Fatalf("seed %d: rule %d is %+v, want %+v", seed, i, got[i], r)
			}
		}
	}
}

// Whoever is far down the list is not looked at: 1,100 further, or a support
// more than 5 % and more than 1 smaller.
func TestRefineWindow(t *testing.T) {
	refined := Candidate{Pair{Alpha: "ab", Beta: "a"}, 50, 50}
	refining := Candidate{Pair{Alpha: "/ab/", Beta: "/a/"}, 50, 50}
	for _, c := range []struct {
		support, others, want int
	}{{50, 0, 1}, {48, 0, 1}, {47, 0, 2}, {50, 1098, 1099}, {50, 1099, 1100}, {50, 1100, 1102}} {
		list := between(refining, Candidate{refined.Pair, c.support, c.support}, c.others)
		if got := len(Refine(list)); got != c.want {
			t.Errorf("support %d, %d others: %d rules left, want %d", c.support, c.others, got, c.want)
		}
	}
}

// between puts so many rules, none of which refines another, between two in the
// order of rank.
func between(first, last Candidate, n int) []Candidate {
	list := []Candidate{first, last}
	for i := range n {
		name := []byte("aaaa")
		for k := range name {
			name[k] += byte(i % 26)
			i /= 26
		}
		list = append(list, Candidate{Pair{Alpha: string(name), Beta: "", AtEnd: false}, 50, 50})
	}
	return list
}

func TestReplacements(t *testing.T) {
	for _, c := range []struct {
		pair Pair
		url  string
		want []string
	}{
		{Pair{Alpha: "a", Beta: "b"}, "/a/aa/a", []string{"/b/aa/a", "/a/aa/b"}},
		{Pair{Alpha: "", Beta: "."}, "/a", []string{"./a", "/.a", "/a."}},
		{Pair{Alpha: "..", Beta: "."}, "...", []string{"..", ".."}},
		{Pair{Alpha: "/", Beta: "", AtStart: true}, "//", []string{"/"}},
		{Pair{Alpha: "/", Beta: "", AtEnd: true}, "//", []string{"/"}},
		{Pair{Alpha: "ab", Beta: ""}, "/abc", nil},
		{Pair{Alpha: "-", Beta: ""}, "a-b-.", []string{"a-b."}},
	} {
		var got []string
		for v := range c.pair.Replacements([]byte(c.url)) {
			got = append(got, string(v))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v on %q: %q, want %q", c.pair, c.url, got, c.want)
		}
	}
}

// Tokens never lose a byte, whatever the URL.
func FuzzAppendCuts(f *testing.F) {
	f.Add([]byte("/story?id=12"))
	f.Fuzz(func(t *testing.T, url []byte) {
		cuts := AppendCuts(nil, url)
		var all []byte
		for k := range len(cuts) - 1 {
			all = append(all, url[cuts[k]:cuts[k+1]]...)
		}
		if !bytes.Equal(all, url) || len(cuts)-1 != CountTokens(url) {
			t.Fatalf("%q: cuts %v", url, cuts)
		}
	})
}
