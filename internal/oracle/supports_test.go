package oracle

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
)

// unlimited counts every envelope, whatever the sizes.
func unlimited() Options {
	return Options{
		MaxTokens: 1000, BucketLow: 1000, BucketHigh: 1000, MinSupport: 1,
		Similarity: evidence.Similarity{Off: true},
	}
}

func pagesOf(urls ...string) []evidence.Page {
	var pages []evidence.Page
	for _, u := range urls {
		pages = append(pages, evidence.Page{URL: u})
	}
	return pages
}

func plain(alpha, beta string) Pair { return Pair{Alpha: alpha, Beta: beta} }

// TestPeriods counts envelopes by hand where theorem 4.1 does not hold. Each envelope (p,
// s) is given as the number of its tokens (i, j).
func TestPeriods(t *testing.T) {
	// ^ / a . a . a / $ and ^ / a . a / $, the example of section 4: the URLs share 5
	// tokens at the start and 5 at the end, and envelopes with i + j ≤ 7.
	two := pagesOf("/a.a.a/", "/a.a/")
	// ^ / a $, ^ / a . a $ and ^ / a . a . a $. All three share 3 tokens at the
	// start and 2 at the end, i + j ≤ 4; the longer two share 5 and 4, i + j ≤ 6.
	three := pagesOf("/a", "/a.a", "/a.a.a")
	for _, c := range []struct {
		pages []evidence.Page
		pair  Pair
		want  int
	}{
		{two, plain("a.a", "a"), 2}, // (2,4) (4,2)
		{two, plain("a.", ""), 2},   // (2,5) (4,3)
		{two, plain(".a", ""), 2},   // (3,4) (5,2)
		{two, plain("/a.", "/"), 1}, // (1,5)
		{two, plain(".a.", "."), 1}, // (3,3)
		{two, plain("a.a.a", "a.a"), 1},
		{two, plain("a.a.a", "a"), 0},

		{three, plain("a.a", "a"), 3},                    // of the shorter two (2,1), of the longer two (2,3) (4,1)
		{three, plain(".a", ""), 3},                      // (3,1); (3,3) (5,1)
		{three, plain("a.", ""), 3},                      // (2,2); (2,4) (4,2)
		{three, plain("a.a.a", "a"), 1},                  // (2,1)
		{three, plain("a.a.a", "a.a"), 1},                // (2,1)
		{three, plain(".a.a", ""), 1},                    // (3,1)
		{three, Pair{".a", "", false, true}, 2},          // (3,0); (5,0)
		{three, Pair{"/a.", "/", true, false}, 2},        // (0,2); (0,4)
		{three, Pair{"/a.a.a", "/a", true, true}, 1},     // (0,0)
		{three, Pair{"/a.a.a", "/a.a", true, true}, 1},   // (0,0)
		{pagesOf("//", "///"), plain("/", ""), 3},        // (1,3) (2,2) (3,1)
		{pagesOf("//", "///"), plain("//", "/"), 2},      // (1,2) (2,1)
		{pagesOf("", "a"), plain("a", ""), 1},            // (1,1)
		{pagesOf("", "a"), Pair{"a", "", true, true}, 1}, // (0,0)
		{pagesOf("a", "^a"), plain("^", ""), 1},          // (1,2): a literal ^ after the special token
		{pagesOf("a", "^a"), Pair{"^", "", true, false}, 1},
		{pagesOf("a$", "a"), Pair{"$", "", false, true}, 1},
		{pagesOf("ab", "abc"), plain("c", ""), 0}, // within a token
		{pagesOf("ab", "abc"), plain("abc", "ab"), 1},
	} {
		got := Supports(unlimited(), c.pages)[c.pair]
		if got != (Count{c.want, c.want}) {
			t.Errorf("%v: %+v has %+v, want %d", c.pages, c.pair, got, c.want)
		}
	}
}

func TestThresholds(t *testing.T) {
	b := plain("b", "a")
	for _, c := range []struct {
		members int
		want    Count
	}{{2, Count{1, 1}}, {6, Count{1, 1}}, {7, Count{0, 1}}, {11, Count{0, 1}}, {12, Count{}}} {
		pages := pagesOf(Strings("abcdefghijklmnop", 1)[1 : c.members+1]...)
		o := DefaultOptions()
		for i := range pages { // only a and b are similar; the others still fill the bucket
			pages[i].Evidence = evidence.Spans{{Min: int64(1000 * max(i, 1)), Max: int64(1000 * max(i, 1))}}
		}
		supports := Supports(o, pages)
		if got, ok := supports[b]; got != c.want || ok != (got != Count{}) {
			t.Errorf("%d members: %+v (%v), want %+v", c.members, got, ok, c.want)
		}
		if got := supports[plain("c", "a")]; got != (Count{}) {
			t.Errorf("%d members: pages of different sizes have %+v", c.members, got)
		}
	}
}

func TestMaxTokens(t *testing.T) {
	o := unlimited()
	o.MaxTokens = 2 // ^ b $ is too long, ^ b is not
	supports := Supports(o, pagesOf("b", "a"))
	want := map[Pair]Count{
		plain("b", "a"):         {1, 1},
		{"b", "a", true, false}: {1, 1},
		{"b", "a", false, true}: {1, 1},
	}
	if !maps.Equal(supports, want) {
		t.Errorf("%+v, want %+v", supports, want)
	}
}

func TestGivenTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a URL given twice passes")
		}
	}()
	Supports(DefaultOptions(), pagesOf("/", "/a", "/"))
}

// TestOrder: the list's order does not matter.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		pages := Random(rng, 20)
		before := Supports(DefaultOptions(), pages)
		rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		if after := Supports(DefaultOptions(), pages); !maps.Equal(before, after) {
			t.Fatalf("%v: %v, before shuffling %v", pages, after, before)
		}
	}
}

func TestLikelyOrder(t *testing.T) {
	count := func(p Pair, support, high int) Rule { return Rule{p, Count{support, high}} }
	want := []Rule{
		count(plain("x", "y"), 3, 9),
		count(plain("x", "y"), 4, 8),
		count(plain("xxx", "y"), 3, 8),
		count(Pair{"y", "", true, false}, 3, 8), // ^ counts in both sides: 3 bytes
		count(plain(".aa", ""), 3, 8),
		count(plain("b.", "a"), 3, 8),
		count(plain("b.", "b"), 3, 8),
		count(Pair{".", "", true, false}, 3, 7), // ^ comes before $, both before all other bytes
		count(Pair{".", "", false, true}, 3, 7), // .$ before ..
		count(plain("..", "!"), 3, 7),
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		got := slices.Clone(want)
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if slices.SortFunc(got, Compare); !slices.Equal(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
	o := DefaultOptions()
	if got := Likely(o, map[Pair]Count{plain("a", ""): {2, 9}, plain("b", ""): {3, 3}}); len(got) != 1 || got[0].Alpha != "b" {
		t.Errorf("%+v are likely", got)
	}
}
