package urllist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
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

// Arrange returns what Pages returns. The numbers, texts and evidence of the list stay, and pages of a
// copy that was made before.
func TestArrange(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	l := New()
	for range 3000 {
		text := fmt.Sprintf("/%0*d", rng.IntN(600), rng.IntN(900))
		id, _ := l.Intern([]byte(text))
		if l.SetEvidence(id, evidenceOf(text)); rng.IntN(4) == 0 {
			l.Release(id)
		}
	}
	before, want := l.Copy().Pages(), l.Pages()
	for range 2 {
		got := l.Arrange()
		if !slices.EqualFunc(got, want, equal) || !slices.EqualFunc(l.Pages(), want, equal) || !slices.EqualFunc(before, want, equal) {
			t.Fatal("other pages than before")
		}
		for i := range got {
			if id, ok := l.Lookup([]byte(got[i].URL)); !ok || id != got[i].Number || id != want[i].Number {
				t.Fatalf("%s is number %d (%v), want %d and %d", got[i].URL, id, ok, got[i].Number, want[i].Number)
			}
		}
		if l.used != textBytes(got) {
			t.Fatalf("%d bytes used, want %d", l.used, textBytes(got))
		}
	}
}

func textBytes(pages []evidence.Page) (n int) {
	for i := range pages {
		n += len(pages[i].URL)
	}
	return n
}

// Keep leaves the URLs of smallest rank.
func TestKeep(t *testing.T) {
	for _, most := range []int{0, 1, 5, 10, 11} {
		l := New()
		for i := range 10 {
			l.Intern([]byte{'/', byte('0' + i)})
		}
		c := l.Copy()
		c.Keep(most, func(url []byte) (page, hash uint64) {
			place := uint64(url[1]) * 7 % 10
			return place / 2, place % 2
		})
		var got, want string
		for _, p := range c.Pages() {
			got += p.URL
		}
		for i := range 10 {
			if (int('0')+i)*7%10 < most {
				want += fmt.Sprintf("/%d", i)
			}
		}
		if got != want || l.Len() != 10 {
			t.Errorf("%d kept: %s, want %s", most, got, want)
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

// BenchmarkCopy copies a list of a million URLs, during which the owner of the list stands
// still, and reads the pages of the copy.
func BenchmarkCopy(b *testing.B) {
	l := New()
	for i := range 1_000_000 {
		id, _ := l.Intern(fmt.Appendf(nil, "/folder/page-%d.html?session=%d", i, i*7))
		l.SetEvidence(id, evidence.Spans{{Min: int64(i), Max: int64(i)}})
	}
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			l.Copy()
		}
	})
	c := l.Copy()
	b.Run("pages", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Pages()
		}
	})
}
