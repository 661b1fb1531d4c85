package oracle

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// shared returns, for two URLs, the shared envelopes and their pairs, from the longest
// common prefix and suffix alone: |p| ≤ a, |s| ≤ b, no overlap, both middles at most
// maxTokens.
func shared(u1, u2 string, maxTokens int) map[Envelope]Pair {
	x, y := split(u1), split(u2)
	tx, ty := x.cut(0, x.tokens()).tokens(), y.cut(0, y.tokens()).tokens()
	a, b, shorter := 0, 0, min(len(tx), len(ty))
	for a < shorter && tx[a] == ty[a] {
		a++
	}
	for b < shorter && tx[len(tx)-1-b] == ty[len(ty)-1-b] {
		b++
	}
	all := map[Envelope]Pair{}
	for i := 0; i <= a; i++ {
		for j := 0; j <= b && i+j <= shorter; j++ {
			if max(len(tx), len(ty))-i-j <= maxTokens {
				e := Envelope{x.cut(0, i), x.cut(len(tx)-j, len(tx))}
				all[e] = pair(x.cut(i, len(tx)-j), y.cut(i, len(ty)-j))
			}
		}
	}
	return all
}

// TestSharedEnvelopes: two URLs share exactly the envelopes of their common prefix and
// suffix.
func TestSharedEnvelopes(t *testing.T) {
	texts := Strings("a./", 4)
	for _, maxTokens := range []int{0, 2, 35} {
		o := unlimited()
		o.MaxTokens = maxTokens
		for i, u1 := range texts {
			for _, u2 := range texts[:i] {
				got := map[Envelope]Pair{}
				for e, bucket := range Group(o, pagesOf(u1, u2)) {
					if len(bucket) == 2 {
						got[e] = pair(bucket[0].substring, bucket[1].substring)
					}
				}
				if want := shared(u1, u2, maxTokens); !maps.Equal(got, want) {
					t.Fatalf("%q and %q, S = %d: %v, want %v", u1, u2, maxTokens, got, want)
				}
			}
		}
	}
}

// pairwise computes Supports in another way: by pairs of URLs, with the members of each
// envelope's bucket counted separately.
func pairwise(o Options, pages []evidence.Page) map[Pair]Count {
	supports := map[Pair]Count{}
	for i, p := range pages {
		for _, q := range pages[:i] {
			if !o.Similarity.Similar(p.Evidence, q.Evidence) {
				continue
			}
			for e, pair := range shared(p.URL, q.URL, o.MaxTokens) {
				c, members := supports[pair], members(e, pages, o.MaxTokens)
				if members <= o.BucketLow {
					c.Support++
				}
				if members <= o.BucketHigh {
					c.High++
				}
				if c != (Count{}) {
					supports[pair] = c
				}
			}
		}
	}
	return supports
}

// members returns the number of URLs that an envelope surrounds.
func members(e Envelope, pages []evidence.Page, maxTokens int) int {
	prefix, suffix, n := e.prefix.tokens(), e.suffix.tokens(), 0
	for _, p := range pages {
		u := side{p.URL, true, true}.tokens()
		middle := len(u) - len(prefix) - len(suffix)
		if 0 <= middle && middle <= maxTokens &&
			slices.Equal(u[:len(prefix)], prefix) && slices.Equal(u[len(u)-len(suffix):], suffix) {
			n++
		}
	}
	return n
}

func TestSupportsPairwise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 150 {
		o := RandomOptions(rng)
		pages := Random(rng, 1+i%30)
		if got, want := Supports(o, pages), pairwise(o, pages); !maps.Equal(got, want) {
			t.Fatalf("%+v %v: %v, want %v", o, pages, got, want)
		}
	}
}

func TestSmallWorlds(t *testing.T) {
	o := DefaultOptions()
	o.BucketLow, o.BucketHigh, o.Similarity.Tolerance = 2, 3, 0
	n := 0
	for pages := range SmallWorlds("a./", 2, 3, Intervals(2)) {
		n++
		if got, want := Supports(o, pages), pairwise(o, pages); !maps.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", pages, got, want)
		}
	}
	if n != 19_604 {
		t.Errorf("%d worlds, want 19,604", n)
	}
}

func FuzzSupports(f *testing.F) {
	f.Add("/a.a.a\n/a.a\n/a\n", uint64(1))
	f.Add("\n^\n$\n^$\n", uint64(2))
	f.Add("/\x01\n/\x02\n\x01\n/a\x00b\n/\xff", uint64(3))
	f.Fuzz(func(t *testing.T, list string, seed uint64) {
		urls := strings.Split(list, "\n")
		slices.Sort(urls)
		urls = slices.Compact(urls)
		if len(urls) > 30 || len(list) > 600 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		pages := pagesOf(urls...)
		for i := range pages {
			pages[i].Evidence = RandomEvidence(rng)
		}
		o := RandomOptions(rng)
		if got, want := Supports(o, pages), pairwise(o, pages); !maps.Equal(got, want) {
			t.Fatalf("%+v %v: %v, want %v", o, pages, got, want)
		}
	})
}

// TestGrowingEnvelope: a longer prefix or suffix never has a larger bucket, as long as S
// excludes nothing.
func TestGrowingEnvelope(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		buckets := Group(unlimited(), Random(rng, 25))
		for e, bucket := range buckets {
			u := split(bucket[0].page.URL)
			i, j := len(e.prefix.tokens()), len(e.suffix.tokens())
			if i+j == u.tokens() {
				continue
			}
			longer := Envelope{u.cut(0, i+1), e.suffix}
			if len(buckets[longer]) > len(bucket) {
				t.Fatalf("%v has %d members, %v has %d", e, len(bucket), longer, len(buckets[longer]))
			}
		}
	}
}

// isInstance reports whether two URLs are an instance of a pair in either direction
// (definition 3.1): whether the URLs share an envelope around the sides of the pair.
func isInstance(u1, u2 string, p Pair) bool {
	for _, q := range shared(u1, u2, unlimited().MaxTokens) {
		if p == q {
			return true
		}
	}
	return false
}

// semiperiodic reports whether a proper beginning of a side is also its end. This is the
// paper's definition, β^k γ with γ a prefix of β shorter than β and k ≥ 1, except for k =
// 1 with an empty γ, which every string satisfies.
func semiperiodic(s side) bool {
	t := s.tokens()
	for period := 1; period < len(t); period++ {
		if slices.Equal(t[period:], t[:len(t)-period]) {
			return true
		}
	}
	return false
}

// instancesOf counts the instances of every pair with at least one.
func instancesOf(urls []string) map[Pair]int {
	instances := map[Pair]int{}
	for i, u1 := range urls {
		for _, u2 := range urls[:i] {
			once := map[Pair]bool{}
			for _, p := range shared(u1, u2, unlimited().MaxTokens) {
				once[p] = true
			}
			for p := range once {
				instances[p]++
			}
		}
	}
	return instances
}

// TestTheorem41: the count equals the number of instances if neither side is empty or
// semiperiodic, and is at least this number otherwise.
func TestTheorem41(t *testing.T) {
	exact, more := 0, 0
	for _, texts := range [][]string{Strings("a./", 3), Strings("a.", 5)} {
		instances := instancesOf(texts)
		for p, c := range Supports(unlimited(), pagesOf(texts...)) {
			alpha, beta := side{p.Alpha, p.AtStart, p.AtEnd}, side{p.Beta, p.AtStart, p.AtEnd}
			odd := beta == side{} || semiperiodic(alpha) || semiperiodic(beta)
			switch {
			case c.Support < instances[p], c.Support > instances[p] && !odd:
				t.Fatalf("%+v has %d envelopes and %d instances", p, c.Support, instances[p])
			case c.Support > instances[p]:
				more++
			default:
				exact++
			}
		}
	}
	if exact == 0 || more == 0 {
		t.Errorf("%d pairs counted exactly, %d over", exact, more)
	}
}

// TestLemma53: a refines b exactly if an instance of a among unique tokens is an instance
// of b. Where the tokens around b join in the smaller side of a, that side has fewer tokens
// than the lemma counts; there a may refine b, too.
func TestLemma53(t *testing.T) {
	supports := Supports(unlimited(), pagesOf(Strings("a.", 3)...))
	refined, joined := 0, 0
	for a := range supports {
		u1, u2 := a.Alpha, a.Beta
		if !a.AtStart {
			u1, u2 = ":"+u1, ":"+u2
		}
		if !a.AtEnd {
			u1, u2 = u1+":", u2+":"
		}
		for b := range supports {
			got := Refines(a, b)
			want := isInstance(u1, u2, b)
			switch {
			case got && !want && saved(a) > saved(b):
				joined++
			case got != want:
				t.Fatalf("%+v refines %+v: %v, want %v", a, b, got, want)
			case got && a != b:
				refined++
			}
		}
	}
	if refined == 0 || joined == 0 {
		t.Errorf("%d pairs of %d refine another, %d by joining tokens", refined, len(supports), joined)
	}
}

// saved returns how many tokens the first side of a pair has more than the second.
func saved(p Pair) int {
	s := spell(p)
	return len(s.alpha) - len(s.beta)
}
