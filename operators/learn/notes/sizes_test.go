package notes

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/window/evidence"
)

func pageOf(n int, e evidence.Spans) evidence.Page {
	return evidence.Page{URL: fmt.Sprintf("/%05d", n), Evidence: e}
}

func TestSizesOf(t *testing.T) {
	var pages []evidence.Page
	add := func(n int, e evidence.Spans) {
		for range n {
			pages = append(pages, pageOf(len(pages), e))
		}
	}
	add(10, of(0, 500))                                    // crowded
	add(9, of(0, 600))                                     // too few
	add(6, of(1, 700))                                     // one size of two classes
	add(6, of(2, 700))                                     //
	add(20, evidence.Spans{{Min: 800, Max: 900}})          // not exact
	add(1, of(0, 0))                                       // an empty page
	add(2, nil)                                            // unknown
	add(12, append(of(0, 900), of(evidence.Digest, 1)...)) // crowded, with a digest
	s := SizesOf(pages)
	if got, want := fmt.Sprint(s.Pages, s.Without, s.Digests, s.Crowd, s.Crowded), "64 2 12 22 [{900 12 /00054} {500 10 /00000}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	add(3000, of(0, 12345)) // makes the others too small a share
	if s := SizesOf(pages); s.Crowd != 3000 {
		t.Errorf("%d pages of crowded sizes, %v", s.Crowd, s.Crowded)
	}
}

// The columns follow each other, cover all sizes, and count what lies in them.
func TestSizesOfColumns(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var pages []evidence.Page
		highest := int64(1) << rng.IntN(40)
		for n := range rng.IntN(300) {
			pages = append(pages, pageOf(n, of(0, rng.Int64N(highest))))
		}
		s := SizesOf(pages)
		if len(s.Columns) > columns || (len(s.Columns) == 0) != (len(pages) == 0) {
			t.Fatalf("seed %d: %d columns of %d pages", seed, len(s.Columns), len(pages))
		}
		total := 0
		for i, c := range s.Columns {
			n := 0
			for _, p := range pages {
				if size := p.Evidence[0].Min; c.From <= size && size < c.To {
					n++
				}
			}
			if n != c.Pages || c.Crowd > n || c.From >= c.To || i > 0 && c.From != s.Columns[i-1].To {
				t.Fatalf("seed %d: column %d is %+v and holds %d pages, after %+v", seed, i, c, n, s.Columns[max(0, i-1)])
			}
			total += n
		}
		if total != len(pages) {
			t.Fatalf("seed %d: %d of %d pages are in columns", seed, total, len(pages))
		}
	}
}

func TestNotesHaveAdvice(t *testing.T) {
	for _, kind := range []Kind{OneSize, SizesApart, OneClient, Headers, MaybeHeaders, Encodings} {
		if n := (Note{Kind: kind}); n.Why() == "" || n.Advice() == "" {
			t.Errorf("%s has no reason or no advice", kind)
		}
	}
}
