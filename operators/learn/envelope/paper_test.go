package envelope

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule/dust"
)

// Envelopes are counted, not pairs of URLs: if a side is empty or semiperiodic, one pair of
// URLs lies in several envelopes with the same two middles (theorem 4.1 and its
// exceptions).
func TestSemiperiodic(t *testing.T) {
	for _, c := range []struct {
		name string
		urls []string
		pair dust.Pair
		want uint32
	}{
		// no empty or periodic side: one envelope, (^a., $)
		{"plain", []string{"a.b", "a.c"}, dust.Pair{Alpha: "c", Beta: "b"}, 1},
		// a.a.a and a.a: ".a" left out after the first a or after the second,
		// "a." before the first, before the second.
		{"a.a.a without .a", []string{"a.a.a", "a.a"}, dust.Pair{Alpha: ".a", Beta: ""}, 2},
		{"a.a.a without a.", []string{"a.a.a", "a.a"}, dust.Pair{Alpha: "a.", Beta: ""}, 2},
		// with one token more on both sides, at the left or at the right
		{"a.a.a to a", []string{"a.a.a", "a.a"}, dust.Pair{Alpha: "a.a", Beta: "a"}, 2},
		{"a.a.a anchored", []string{"a.a.a", "a.a"}, dust.Pair{Alpha: "a.a", Beta: "a", AtStart: true}, 1},
		// an empty side among equal tokens: the dot may be any of three
		{"...", []string{"...", ".."}, dust.Pair{Alpha: ".", Beta: ""}, 3},
		{"... at the end", []string{"...", ".."}, dust.Pair{Alpha: ".", Beta: "", AtEnd: true}, 1},
	} {
		w := newWorld(Defaults())
		for _, u := range c.urls {
			w.Set(u, worlds.Size(5))
		}
		must(t, w, c.urls)
		if got := w.x.support(c.pair); got.low != c.want || got.high != c.want {
			t.Errorf("%s: support %d and %d, want %d", c.name, got.low, got.high, c.want)
		}
	}
}

// A bucket adds to both supports up to T_low, to the second support up to T_high, and to no
// support beyond. After a departure the bucket adds its contributions again.
func TestOverflow(t *testing.T) {
	w := newWorld(Defaults())
	pair := dust.Pair{Alpha: "b", Beta: "a"}
	urls := []string{"/x/a/y", "/x/b/y"}
	for c := 'c'; c <= 'n'; c++ {
		urls = append(urls, "/x/"+string(c)+"/y")
	}
	// All URLs share the 20 envelopes around their middle token (0 to 4 tokens of ^/x/, 0
	// to 3 of /y$), and in one of them the middles are "a" and "b" alone.
	expect := func(n int) {
		t.Helper()
		var want supports
		if n >= 2 && n <= 6 {
			want.low = 1
		}
		if n >= 2 && n <= 11 {
			want.high = 1
		}
		if got := w.x.support(pair); got != want {
			t.Fatalf("%d URLs: support %+v, want %+v", n, got, want)
		}
		must(t, w, urls[:n])
	}
	for i, u := range urls {
		w.Set(u, worlds.Size(5))
		expect(i + 1)
	}
	for n := len(urls) - 1; n >= 2; n-- {
		w.Drop(urls[n])
		expect(n)
	}
}

// Crossings are net: a pair that became likely and faded in between is not returned, nor is
// a pair that faded and became likely again.
func TestCrossings(t *testing.T) {
	w := newWorld(Defaults())
	set := func(size int64, urls ...string) {
		for _, u := range urls {
			w.Set(u, worlds.Size(size))
		}
	}
	tell := func(wantRisen, wantFaded bool) {
		t.Helper()
		is := func(list []dust.Candidate) bool {
			for _, c := range list {
				if c.Alpha == "story_" && c.Beta == "s" {
					return true
				}
			}
			return false
		}
		risen, faded := w.x.Crossings()
		if is(risen) != wantRisen || is(faded) != wantFaded {
			t.Fatalf("risen %v, faded %v; want %v and %v", risen, faded, wantRisen, wantFaded)
		}
	}
	set(100, "/story_/1", "/s/1")
	set(200, "/story_/22", "/s/22")
	tell(false, false) // two pages, MS = 3
	set(300, "/story_/333", "/s/333")
	tell(true, false)
	tell(false, false)
	set(400, "/s/1")
	tell(false, true)
	set(100, "/s/1")
	set(400, "/s/1")
	tell(false, false)
	set(100, "/s/1")
	tell(true, false)
	w.Drop("/s/22")
	set(200, "/s/22")
	tell(false, false)
	w.Drop("/s/22", "/s/1", "/s/333", "/story_/1") // more URLs leave than remain: the index is rebuilt
	tell(false, true)
}

// A departure scans all URLs a bounded number of times, however many cells the departure
// brings back under the limit.
func TestDepartureIsBounded(t *testing.T) {
	w := newWorld(Defaults())
	slashes := strings.Repeat("/", 60)
	var family []string
	for i := range 2*w.x.keep + 1 {
		family = append(family, fmt.Sprintf("%sa%d%s", slashes, i, slashes))
		w.Set(family[i], nil)
	}
	for i := range 200 { // so that few URLs leave
		w.Set(fmt.Sprintf("x%d", i), nil)
	}
	most := 0
	for _, u := range family {
		w.Drop(u)
		most = max(most, w.x.scans)
	}
	if most <= tooManyScans || most > tooManyScans+1 {
		t.Errorf("%d looks through all URLs, want just past %d", most, tooManyScans)
	}
	must(t, w, nil)
}
