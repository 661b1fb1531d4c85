package dust

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/window/evidence"
)

// characters matches a word, an escape outside words, or one other byte.
var characters = regexp.MustCompile(`(?s)(?:[0-9A-Za-z]|%(?:[89A-Fa-f][0-9A-Fa-f]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]))+|%[0-9A-Fa-f]{2}|.`)

// tokensOf returns the tokens of a text, matched from the left by characters. The text
// has no bytes from 0x80 up, which no URL has and which tokenization takes for letters.
func tokensOf(s string) []string { return characters.FindAllString(s, -1) }

// The tokens of a URL, against the definition: a maximal run of letters and digits, or
// one other byte, where an escape is one letter or one other byte.
func TestTokens(t *testing.T) {
	for _, s := range append(oracle.Strings("%40a/", 6), "/story?id=12&sid=9f3c", "\x00\x7f", "a~b", "%E0%B8%81ab", "a%2Fb") {
		want := tokensOf(s)
		cuts := AppendCuts(nil, []byte(s))
		var got []string
		for k := 1; k+2 < len(cuts); k++ {
			got = append(got, s[cuts[k]:cuts[k+1]])
		}
		if !slices.Equal(got, want) || len(cuts) != len(want)+3 || CountTokens([]byte(s)) != len(want) {
			t.Fatalf("%q: tokens %q, count %d, want %q", s, got, CountTokens([]byte(s)), want)
		}
		if cuts[0] != 0 || cuts[1] != 0 || int(cuts[len(cuts)-1]) != len(s) || int(cuts[len(cuts)-2]) != len(s) {
			t.Fatalf("%q: cuts %v", s, cuts)
		}
		checkBoundaries(t, s, want)
	}
}

// checkBoundaries compares TokenStart, TokenEnd and Boundary at each offset with the
// tokens.
func checkBoundaries(t *testing.T, s string, tokens []string) {
	t.Helper()
	is, at := map[int]bool{0: true}, 0
	for _, token := range tokens {
		end := at + len(token)
		if from, to := TokenStart(s, end), TokenEnd(s, at); from != at || to != end {
			t.Fatalf("%q: a token from %d to %d is one from %d to %d", s, at, end, from, to)
		}
		is[end], at = true, end
	}
	for at := range len(s) + 1 {
		if Boundary(s, at) != is[at] || Boundary([]byte(s), at) != is[at] {
			t.Fatalf("%q: a boundary at %d: %v, want %v", s, at, !is[at], is[at])
		}
	}
}

// Every escape of a byte, and texts similar to escapes, between letters.
func TestEscapes(t *testing.T) {
	for c := range 256 {
		for _, format := range []string{"a%%%02Xb", "a%%%02xb", "%%%%%02X", "%%2%%%02x%%"} {
			s := fmt.Sprintf(format, c)
			checkBoundaries(t, s, tokensOf(s))
		}
		for _, s := range []string{"%" + string(byte(c)) + "4", "%4" + string(byte(c)) + "a"} {
			if c < 0x80 {
				checkBoundaries(t, s, tokensOf(s))
			}
		}
	}
	if got := AppendCuts(nil, []byte("\xc3\xa9a")); !slices.Equal(got, []int32{0, 0, 1, 2, 3, 3}) {
		t.Errorf("bytes that no URL has: cuts %v", got)
	}
}

func TestNewPair(t *testing.T) {
	for _, c := range []struct{ a, b, alpha string }{{"a", "bb", "bb"}, {"a", "b", "b"}, {"b", "a", "b"}, {"", "a", "a"}} {
		if p := NewPair(c.a, c.b, true, false); p.Alpha != c.alpha || p.AtStart != true || p.AtEnd {
			t.Errorf("%q and %q: %+v", c.a, c.b, p)
		}
	}
}

// refines against lemma 5.3 spelled out, over all pairs of short sides.
func TestRefines(t *testing.T) {
	var pairs []Pair
	sides := append(oracle.Strings("ab.", 2), "%", "4", "%4", "%41", "a%41", "%2F", "%%41", "a.b", "a%2Fb")
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
			if got, want := p.refines(&q, commonOf(&p)), oracle.Refines(oracle.Pair(p), oracle.Pair(q)); got != want {
				t.Fatalf("%+v refines %+v: %v, want %v", p, q, got, want)
			}
		}
	}
}

// Phase 2 against the plain figure 2, on lists in which many rules refine others with
// nearly the same support.
func TestRefine(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		checkRefine(t, rng, oracle.Random(rng, 5+rng.IntN(40)))
	}
}

// Lists of words that a separator, often an escape, parts in one URL and not in another. There
// a pair refines another although the smaller sides join two tokens to one.
func TestRefineJoined(t *testing.T) {
	joined := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		joined += checkRefine(t, rng, parted(rng))
	}
	t.Logf("%d pairs refine another by joining tokens", joined)
	if joined < 100 {
		t.Errorf("%d pairs refine another by joining tokens, want more", joined)
	}
}

// parted returns pages of one size. Their URLs are two words in a few surroundings, with
// several separators between the words, or none.
func parted(rng *rand.Rand) (pages []evidence.Page) {
	words := []string{"a", "b", "ab", "4", "%E0%B8%81", "%41"}
	separators := []string{"", "%2B", "%20", ".", "%", "c"}
	seen := map[string]bool{}
	for range 1 + rng.IntN(3) {
		x, y := words[rng.IntN(len(words))], words[rng.IntN(len(words))]
		used := 2 + rng.IntN(len(separators)-1)
		for range 2 + rng.IntN(4) {
			before, after := "/"+words[rng.IntN(len(words))]+"/", "."+words[rng.IntN(len(words))]
			for _, s := range separators[:used] {
				if url := before + x + s + y + after; !seen[url] && rng.IntN(5) > 0 {
					seen[url] = true
					pages = append(pages, evidence.Page{URL: url, Evidence: evidence.Spans{{Min: 1000, Max: 1000}}})
				}
			}
		}
	}
	return pages
}

// checkRefine compares phase 2 with the plain figure 2 and returns how many pairs refine
// another pair only if the tokens of the smaller side may join.
func checkRefine(t *testing.T, rng *rand.Rand, pages []evidence.Page) (joined int) {
	t.Helper()
	o := oracle.DefaultOptions()
	o.MinSupport = 1 + rng.IntN(3)
	rules := oracle.Likely(o, oracle.Supports(o, pages))
	var list []Candidate
	for _, r := range rules {
		list = append(list, Candidate{Pair(r.Pair), r.Support, r.High})
	}
	for _, p := range list {
		for _, q := range list {
			if p.refines(&q.Pair, commonOf(&p.Pair)) && !separate(p.Pair, q.Pair) {
				joined++
			}
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	want := oracle.Refine(rules)
	got := Refine(list)
	if len(got) != len(want) {
		t.Fatalf("%d rules left, want %d, of %v", len(got), len(want), pages)
	}
	for i, r := range want {
		if got[i] != (Candidate{Pair(r.Pair), r.Support, r.High}) {
			t.Fatalf("rule %d is %+v, want %+v, of %v", i, got[i], r, pages)
		}
	}
	return joined
}

// separate reports whether the sides of p, but for the anchors, are γαδ and γβδ, where neither
// γ nor δ shares a token with β.
func separate(p, q Pair) bool {
	for at := 0; at+len(q.Alpha) <= len(p.Alpha); at++ {
		before, after := p.Alpha[:at], p.Alpha[at+len(q.Alpha):]
		if before+q.Alpha+after == p.Alpha && before+q.Beta+after == p.Beta &&
			Boundary(p.Beta, at) && Boundary(p.Beta, at+len(q.Beta)) {
			return true
		}
	}
	return false
}

// Refine compares a rule only with the next 1,100 rules of the list, and only while the
// support is at most 5 % or at most 1 smaller.
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

// between returns a list of first, n candidates and last, in the order of rank. None of
// the n candidates refines another.
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
		{Pair{Alpha: "41", Beta: "4"}, "/41/%41/%%41", []string{"/4/%41/%%41"}},
		{Pair{Alpha: "%41", Beta: "A"}, "/%41%41/%41/%%41", []string{"/%41%41/A/%%41", "/%41%41/%41/%A"}},
		{Pair{Alpha: ".", Beta: ""}, "%.41.", []string{"%.41"}}, // %41. would have other tokens
	} {
		var got []string
		for v := range c.pair.Replacements(new([]byte), []byte(c.url)) {
			got = append(got, string(v))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v on %q: %q, want %q", c.pair, c.url, got, c.want)
		}
	}
}

// Tokenization keeps every byte of any URL, and the ends of tokens are boundaries.
func FuzzTokens(f *testing.F) {
	f.Add("/story?id=12")
	f.Add("/%E0%B8%81%2Fa%%41%4")
	f.Fuzz(func(t *testing.T, url string) {
		cuts := AppendCuts(nil, []byte(url))
		var all []string
		for k := 1; k < len(cuts)-2; k++ {
			all = append(all, url[cuts[k]:cuts[k+1]])
		}
		if strings.Join(all, "") != url || len(all) != CountTokens([]byte(url)) {
			t.Fatalf("%q: cuts %v", url, cuts)
		}
		checkBoundaries(t, url, all)
	})
}
