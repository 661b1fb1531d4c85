package oracle

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

func size(least, most int64) evidence.Spans { return evidence.Spans{{Min: least, Max: most}} }

func byLength(url string) Place { return Place{Family: uint64(len(url)), URL: uint64(len(url))} }

func equalPages(a, b []evidence.Page) bool {
	return slices.EqualFunc(a, b, func(p, q evidence.Page) bool { return p.URL == q.URL && p.Evidence.Equal(q.Evidence) })
}

func TestWindow(t *testing.T) {
	digest := func(a, b int64) evidence.Spans { return evidence.Spans{{Min: a, Max: b, Class: evidence.Digest}} }
	all := []Observation{
		{"/b", 7, size(20, 20)}, {"/a", 5, size(10, 10)}, {"/a", 6, size(30, 30)}, {"/b", 7, nil},
		{"/old", 4, size(1, 1)}, {"/none", 6, nil}, {"/a", 4, size(99, 99)},
		{"/a", 6, digest(8, 8)}, {"/a", 5, digest(8, 8)}, {"/b", 6, digest(1, 1)}, {"/b", 6, digest(2, 2)},
		{"/b", 6, evidence.Spans{{Min: 5, Max: 5, Class: 3}}},
	}
	a := slices.Concat(size(10, 30), digest(8, 8))
	b := slices.Concat(size(20, 20), evidence.Spans{{Min: 5, Max: 5, Class: 3}}, digest(1, 2))
	for _, c := range []struct {
		panes int64
		keep  int
		want  []evidence.Page
	}{
		{3, 0, []evidence.Page{{URL: "/a", Evidence: a}, {URL: "/b", Evidence: b}, {URL: "/none", Evidence: nil}}},
		{1, 0, []evidence.Page{{URL: "/b", Evidence: size(20, 20)}}},
		{3, 2, []evidence.Page{{URL: "/a", Evidence: a}, {URL: "/b", Evidence: b}}},                                                                              // pane 6 has three URLs
		{3, 1, []evidence.Page{{URL: "/a", Evidence: slices.Concat(size(10, 30), digest(8, 8))}, {URL: "/b", Evidence: size(20, 20)}}},                           // each pane keeps its own URL
		{0, 1, []evidence.Page{{URL: "/a", Evidence: slices.Concat(size(10, 99), digest(8, 8))}}},                                                                // one pane for all
		{0, 3, []evidence.Page{{URL: "/a", Evidence: slices.Concat(size(10, 99), digest(8, 8))}, {URL: "/b", Evidence: b}, {URL: "/old", Evidence: size(1, 1)}}}, // the longest URL is dropped
	} {
		if got := Window(all, c.panes, c.keep, byLength); !equalPages(got, c.want) {
			t.Errorf("%d panes of %d: %v, want %v", c.panes, c.keep, got, c.want)
		}
	}
	if got := Window(nil, 3, 1, byLength); len(got) != 0 {
		t.Errorf("nothing seen: %v", got)
	}
}

// TestWindowIsAFold: order and repetition do not matter, and a part of the observations
// may be folded first.
func TestWindowIsAFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		var all []Observation
		for range rng.IntN(40) {
			all = append(all, Observation{fragments[rng.IntN(10)], rng.Int64N(8) - 4, RandomEvidence(rng)})
		}
		panes, keep := rng.Int64N(5), rng.IntN(4)
		want := Window(all, panes, keep, byLength)
		again := slices.Concat(all, all[rng.IntN(len(all)+1):])
		rng.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		if got := Window(again, panes, keep, byLength); !equalPages(got, want) {
			t.Fatalf("%v: %v, want %v", again, got, want)
		}
	}
}

// The limit is a fold although the surplus of families comes last: what a part of the URLs
// leaves out, all URLs leave out, and the rest decides alone.
func TestShedFamiliesIsAFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		families, keys := 1+rng.Uint64N(5), 1+rng.Uint64N(200)
		places := map[string]Place{}
		var all []string
		for range rng.IntN(500) {
			url := strconv.Itoa(rng.IntN(600))
			if _, known := places[url]; !known {
				all = append(all, url)
				places[url] = Place{rng.Uint64N(2)<<40 | rng.Uint64N(families), rng.Uint64N(keys), rng.Uint64()}
			}
		}
		place := func(url string) Place { return places[url] }
		shed := func(urls []string, keep int) []string {
			return slices.Sorted(slices.Values(first(slices.Clone(urls), keep, place)))
		}
		keep, some := 1+rng.IntN(300), rng.IntN(len(all)+1)
		want := shed(all, keep)
		again := slices.Concat(shed(all[some:], keep), shed(all[:some], keep))
		if got := shed(again, keep); !slices.Equal(got, want) {
			t.Fatalf("%d of %d URLs: %v, want %v", keep, len(all), got, want)
		}
		if len(want) != min(keep, len(all)) {
			t.Fatalf("%d URLs are left, want %d of %d", len(want), keep, len(all))
		}
	}
}

// Forms of one page have one key, numbers in values divide pages and not families.
func TestPlaceOf(t *testing.T) {
	hash := func(text string) uint64 { return siphash.Hash(1, 2, []byte(text)) }
	for _, c := range []struct {
		a, b         string
		page, family bool // equal
	}{
		{"/story?id=12", "/story?story=12", true, true},
		{"/story?id=12", "/12/story", true, false},
		{"/story?id=12", "/story?id=13", false, true},
		{"/story?sid=0123456789ab", "/story?sid=ba9876543210", false, true},
		{"/?p=1", "/?p=2", false, false},
		{"/wiki?title=One", "/wiki?title=Two", false, false},
		{"/wiki?t=%E0%B8%81", "/wiki?t=%E0%B8%82", false, false},
		{"/a//b", "/a/b/", true, true},
		{"/a?b&c", "/a?c;b=", false, false},
		{"/a?b=1&c=2", "/a?c=2;b=1", true, true},
	} {
		p, q := PlaceOf(hash, c.a), PlaceOf(hash, c.b)
		if (p.Key == q.Key) != c.page || (p.Family == q.Family) != c.family {
			t.Errorf("%s and %s: one page %v, one family %v", c.a, c.b, p.Key == q.Key, p.Family == q.Family)
		}
	}
}
