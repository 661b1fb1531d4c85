package notes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/window/evidence"
)

// What random windows show is what the definitions say of each page and of each two.
func TestSee(t *testing.T) {
	groups, alike := 0, 0
	for seed := range uint64(300) {
		w := randomWindow(rand.New(rand.NewPCG(seed, 2)))
		slices.SortFunc(w.Pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
		w.Pages = slices.CompactFunc(w.Pages, func(a, b evidence.Page) bool { return a.URL == b.URL })
		s := See(w)
		seen := map[string]bool{}
		pair := false
		for i := range w.Pages {
			if shown := contentText(&w.Pages[i]); shown != "" {
				seen[shown] = true
			}
			for j := range i {
				pair = pair || nearContents(w, i, j)
			}
		}
		if len(seen) != s.Contents || pair != (s.Alike > 0) {
			t.Fatalf("seed %d: %+v, want %d contents, alike %v", seed, s, len(seen), pair)
		}
		for _, p := range s.Params {
			if want := plainParam(w, p.Name); p != want {
				t.Fatalf("seed %d: %+v, want %+v", seed, p, want)
			}
			groups, alike = groups+p.Groups, alike+p.Alike
		}
	}
	if alike == 0 || groups == alike {
		t.Errorf("%d of %d groups are alike, want some", alike, groups)
	}
}

func contentText(p *evidence.Page) string {
	if d, ok := p.Evidence.Digest(); ok {
		return fmt.Sprint("digest ", d)
	}
	return sizeOf(p.Evidence)
}

func nearContents(w *Window, i, j int) bool {
	a, b := w.Pages[i].Evidence, w.Pages[j].Evidence
	_, d := a.Digest()
	_, e := b.Digest()
	if d || e {
		return d && e && contentText(&w.Pages[i]) == contentText(&w.Pages[j])
	}
	a, b = a.Sizes(), b.Sizes()
	return len(a) > 0 && len(b) > 0 && a[0].Class == b[0].Class && evidence.Similarity{Tolerance: w.Tolerance}.Near(a[0], b[0])
}

func plainParam(w *Window, name string) Param {
	p, rests := Param{Name: name}, map[string]bool{}
	has := func(url string) bool {
		return slices.ContainsFunc(oracle.Params(url), func(q oracle.Param) bool { return q.Name == name })
	}
	for i := range w.Pages {
		if url := w.Pages[i].URL; has(url) {
			p.URLs++
			rests[oracle.WithoutName(url, name)] = true
		}
	}
	for rest := range rests {
		var group []evidence.Spans
		for i := range w.Pages {
			if url := w.Pages[i].URL; url == rest || has(url) && oracle.WithoutName(url, name) == rest {
				group = append(group, w.Pages[i].Evidence)
			}
		}
		if len(group) > 1 {
			p.Groups++
			if !slices.ContainsFunc(group, func(e evidence.Spans) bool {
				return !(evidence.Similarity{Tolerance: w.Tolerance}).Similar(group[0], e) && !e.Equal(group[0])
			}) {
				p.Alike++
			}
		}
	}
	return p
}

func TestSeenWords(t *testing.T) {
	page := func(url string, size int64) evidence.Page {
		p := evidence.Page{URL: url}
		if size > 0 {
			p.Evidence = evidence.Spans{{Min: size, Max: size}}
		}
		return p
	}
	for _, c := range []struct {
		w    Window
		want string
	}{
		{Window{Pages: []evidence.Page{page("/a", 1000), page("/b", 2000)}, Tolerance: .01}, "2 URLs with 2 sizes, no two within 1 %: no two pages seem alike. No URL has parameters. These are few URLs: a rule needs at least three examples."},
		{Window{Pages: []evidence.Page{page("/a", 1000), page("/b", 2000)}, Hits: []int64{1, 1}, LeftOut: 3}, "A sample of 2 URLs with 2 sizes, no two equal: no two pages seem alike. No URL has parameters. 2 of the URLs were fetched once: a longer log may show more URLs of each page."},
		{Window{Pages: []evidence.Page{page("/a", 0), page("/b?k=1", 0)}}, "2 URLs. The log has no page sizes, so no two pages can be compared. Parameters: k in 1 URL; no two URLs differ in one of them alone."},
		{Window{Pages: []evidence.Page{page("/a", 0), page("/b", 9)}}, "2 URLs. The log has the size of one page only, so there is nothing to compare. No URL has parameters."},
		{Window{Pages: []evidence.Page{page("/a", 0)}, NoSizes: true}, "1 URL, compared neither by size nor by digest. No URL has parameters."},
		{Window{Pages: []evidence.Page{page("/", 500), page("/a", 1000), page("/a?k=1", 1001), page("/a?k=2", 1001), page("/c?9f3c2b7d81e04a6f=1", 0)}, Hits: []int64{2, 2, 2, 2, 2}, Tolerance: .01},
			"5 URLs, of which the size of 4 is known, with 3 sizes. 3 have a size within 1 % of another's, but no rule has enough examples. Parameters: k in 2 URLs (1 group of URLs that differ in it alone, 1 alike), 1 more. These are few URLs: a rule needs at least three examples."},
		{Window{Pages: []evidence.Page{page("/a", 1000), page("/b", 1000)}, Hits: []int64{2, 2}}, "2 URLs of one size, but no rule has enough examples. No URL has parameters. These are few URLs: a rule needs at least three examples."},
	} {
		if s := See(&c.w); s.String() != c.want {
			t.Errorf("got  %s\nwant %s", s.String(), c.want)
		}
	}
}
