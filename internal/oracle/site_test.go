package oracle

import (
	"flag"
	"fmt"
	"hash/maphash"
	"slices"
	"testing"
	"time"

	"dustbuster/operators/window/evidence"
)

var long = flag.Bool("long", false, "compare all real logs, and measure generated sites of up to a million URLs: minutes and gigabytes")

// TestSiteShape checks the shape of generated sites against the ranges measured on real
// logs. With -long the sites have up to a million URLs. A table of envelopes would not
// fit, so envelopes are identified by a hash.
func TestSiteShape(t *testing.T) {
	counts := []int{10_000}
	if *long {
		counts = append(counts, 100_000, 1_000_000)
	}
	for _, n := range counts {
		began := time.Now()
		pages := Site(1, n)
		t.Logf("generated in %v", time.Since(began))
		s := hashedShape(DefaultOptions(), pages)
		t.Log(s)
		inRange(t, "tokens", s.Tokens, n, 14, 25)
		inRange(t, "substrings", s.Substrings, n, 134, 439)
		inRange(t, "distinct envelopes", s.Envelopes, n, 89, 262)
		inRange(t, "overflowing", s.Overflow, n, 18, 45)
		inRange(t, "shared", s.Shared, n, 3, 28)
	}
}

func inRange(t *testing.T, name string, total, urls int, low, high float64) {
	t.Helper()
	if per := float64(total) / float64(urls); per < low || per > high {
		t.Errorf("%s: %.1f per URL, want %v to %v", name, per, low, high)
	}
}

// hashedShape is Buckets.shape by sorted hashes of the envelopes.
func hashedShape(o Options, pages []evidence.Page) stats {
	s := stats{URLs: len(pages)}
	var hashes []uint64
	seed := maphash.MakeSeed()
	for _, p := range pages {
		u := split(p.URL)
		n := u.tokens()
		s.Tokens += n
		for from := 0; from <= n; from++ {
			for to := from; to <= min(n, from+o.MaxTokens); to++ {
				hashes = append(hashes, maphash.Comparable(seed, Envelope{u.cut(0, from), u.cut(to, n)}))
			}
		}
	}
	slices.Sort(hashes)
	for len(hashes) > 0 {
		size := 1
		for size < len(hashes) && hashes[size] == hashes[0] {
			size++
		}
		s.Envelopes++
		s.bucket(size, o.BucketHigh)
		hashes = hashes[size:]
	}
	return s
}

func TestShapeByHash(t *testing.T) {
	o, pages := DefaultOptions(), Site(2, 1500)
	if got, want := hashedShape(o, pages), Group(o, pages).shape(o, pages); got != want {
		t.Errorf("by hash %v, by table %v", got, want)
	}
}

func TestSiteIsUniqueAndStable(t *testing.T) {
	pages, seen := Site(7, 120_000), map[string]bool{}
	for _, p := range pages {
		if seen[p.URL] {
			t.Fatalf("%q twice", p.URL)
		}
		seen[p.URL] = true
	}
	for i, p := range Site(7, 2345) {
		if p.URL != pages[i].URL || !p.Evidence.Equal(pages[i].Evidence) {
			t.Fatalf("URL %d of the shorter list is %v, of the longer %v", i, p, pages[i])
		}
	}
	if Site(8, 1)[0].URL == pages[0].URL && Site(9, 1)[0].URL == pages[0].URL {
		t.Error("the seed has no say")
	}
}

// TestSiteHasRules: the rules behind the pages' several URLs are found.
func TestSiteHasRules(t *testing.T) {
	o := DefaultOptions()
	found := map[Pair]bool{}
	for _, r := range Refine(Likely(o, Supports(o, Site(1, 3000)))) {
		found[r.Pair] = true
	}
	for _, p := range []Pair{
		{Alpha: ".html?commentlimit=0", Beta: ".html", AtEnd: true},
		{Alpha: ";js=1", AtEnd: true},
	} {
		if !found[p] {
			t.Errorf("%+v not found", p)
		}
	}
	t.Logf("%d rules", len(found))
}

func BenchmarkSite(b *testing.B) {
	for b.Loop() {
		Site(1, 1_000_000)
	}
}

func BenchmarkSupports(b *testing.B) {
	pages := Site(1, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		Supports(DefaultOptions(), pages)
	}
}

// stats describes a URL list from the view of an index of its envelopes.
type stats struct {
	URLs       int
	Tokens     int // of all URLs together, ^ and $ included
	Envelopes  int // distinct
	Substrings int // of 0 to S tokens, of all URLs together: Alone + Shared + Overflow
	Alone      int // substrings in a bucket of one
	Shared     int // substrings in a bucket of 2 to BucketHigh members
	Overflow   int // substrings in a bucket of more
}

// shape measures the URL list of the buckets.
func (b Buckets) shape(o Options, pages []evidence.Page) stats {
	s := stats{URLs: len(pages), Envelopes: len(b)}
	for _, p := range pages {
		s.Tokens += split(p.URL).tokens()
	}
	for _, bucket := range b {
		s.bucket(len(bucket), o.BucketHigh)
	}
	return s
}

func (s *stats) bucket(size, high int) {
	s.Substrings += size
	switch {
	case size == 1:
		s.Alone++
	case size <= high:
		s.Shared += size
	default:
		s.Overflow += size
	}
}

// String returns the figures per URL.
func (s stats) String() string {
	per := func(n int) float64 { return float64(n) / float64(s.URLs) }
	return fmt.Sprintf("%d URLs, per URL: %.1f tokens, %.1f distinct envelopes, %.1f substrings: %.1f alone, %.1f shared, %.1f overflowing",
		s.URLs, per(s.Tokens), per(s.Envelopes), per(s.Substrings), per(s.Alone), per(s.Shared), per(s.Overflow))
}
