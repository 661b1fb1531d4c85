package cluster

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"dustbuster/operators/window/evidence"
)

func sized(url string, least, most int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: least, Max: most}}}
}

func digested(url string, digest int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: 7, Max: 7}, {Min: digest, Max: digest, Class: evidence.Digest}}}
}

// A digest is a label whatever the sizes. A size is no label.
func TestOfPages(t *testing.T) {
	pages := []evidence.Page{
		digested("/a", 1), digested("/b", 2), digested("/c", 1), sized("/d", 7, 7), sized("/e", 7, 7), sized("/f", 7, 8), {URL: "/g"}, sized("/h", 9, 9),
	}
	if got, want := OfPages(pages), [][]string{{"/a", "/c"}, {"/b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The clusters of random pages are those of the definition, pair by pair: two labelled pages
// are in one cluster if their texts are equal, where a page that was not fetched has the only
// text of its digest, or if both have no text and one digest.
func TestOfFetchedPages(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	joined, apart := 0, 0
	for range 2000 {
		var pages []evidence.Page
		for i := range 1 + random.IntN(12) {
			p := sized(fmt.Sprintf("/%02d", i), 7, 7)
			if random.IntN(3) > 0 {
				p = digested(p.URL, int64(random.IntN(3)))
			}
			if random.IntN(2) > 0 {
				p.Text = uint64(1 + random.IntN(3))
			}
			pages = append(pages, p)
		}
		text := func(p *evidence.Page) (text uint64) {
			if p.Text != 0 {
				return p.Text
			}
			digest, ok := p.Evidence.Digest()
			for i := range pages {
				if other, has := pages[i].Evidence.Digest(); ok && has && other == digest && pages[i].Text != 0 {
					if text != 0 && text != pages[i].Text {
						return 0
					}
					text = pages[i].Text
				}
			}
			return text
		}
		place := map[string]int{}
		for n, cluster := range OfPages(pages) {
			for _, url := range cluster {
				place[url] = n + 1
			}
		}
		for i := range pages {
			a := &pages[i]
			digest, ok := a.Evidence.Digest()
			if labelled := ok || a.Text != 0; labelled != (place[a.URL] > 0) {
				t.Fatalf("%s of %+v: labelled %v", a.URL, pages, !labelled)
			}
			for k := range i {
				b := &pages[k]
				other, has := b.Evidence.Digest()
				want := text(a) != 0 && text(a) == text(b) || text(a) == 0 && text(b) == 0 && ok && has && digest == other
				if got := place[a.URL] > 0 && place[a.URL] == place[b.URL]; got != want {
					t.Fatalf("%s and %s of %+v: in one cluster %v", a.URL, b.URL, pages, got)
				}
				if want {
					joined++
				} else {
					apart++
				}
			}
		}
	}
	if joined == 0 || apart == 0 {
		t.Errorf("%d pairs in one cluster, %d not: the pages show little", joined, apart)
	}
}
