package urllist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/evidence"
)

// A copy keeps the pages of its moment while the list changes, another goroutine reads
// the copy, and chunks are compacted.
func TestCopy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	l, model := New(), map[string]evidence.Spans{}
	type read struct{ got, want []evidence.Page }
	reads := make(chan read, 40)
	for range 40 {
		for range 200 {
			text := fmt.Sprintf("/%0*d", 1+rng.IntN(900), rng.IntN(900))
			id, _ := l.Intern([]byte(text))
			if rng.IntN(3) == 0 {
				l.Release(id)
				delete(model, text)
				continue
			}
			e := evidenceOf(text[:1+rng.IntN(len(text))])
			l.SetEvidence(id, e)
			model[text] = e
		}
		c, want := l.Copy(), pagesOf(model)
		go func() { reads <- read{c.Pages(), want} }()
	}
	for range 40 {
		r := <-reads
		if !slices.EqualFunc(r.got, r.want, equal) {
			t.Fatalf("%d pages of a copy, want %d others", len(r.got), len(r.want))
		}
	}
}

func pagesOf(model map[string]evidence.Spans) (pages []evidence.Page) {
	for text, e := range model {
		pages = append(pages, evidence.Page{URL: text, Evidence: e})
	}
	slices.SortFunc(pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	return pages
}

func equal(a, b evidence.Page) bool { return a.URL == b.URL && a.Evidence.Equal(b.Evidence) }
