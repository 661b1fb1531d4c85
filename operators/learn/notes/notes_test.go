package notes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// window is a made-up window: the evidence and the clients of the URL i.
type window struct {
	sizes   func(i int) evidence.Spans
	clients func(i int) uint16
}

func (w window) of(n int) *Window {
	made := &Window{Tolerance: .01}
	for i := range n {
		made.Pages = append(made.Pages, evidence.Page{URL: fmt.Sprintf("/%05d.html", i), Evidence: w.sizes(i)})
		made.Clients = append(made.Clients, w.clients(i))
	}
	if !slices.ContainsFunc(made.Clients, func(mask uint16) bool { return mask != 0 }) {
		made.Clients = nil // TestNoneOrOneClient is about these
	}
	return made
}

// notes returns the notes without their examples.
func (w window) notes(n int) []Note { return bare(Of(w.of(n)).Notes) }

func bare(all []Note) []Note {
	for i := range all {
		all[i].Example = ""
	}
	return all
}

// of returns one size of a class.
func of(class uint8, size int64) evidence.Spans {
	return evidence.Spans{{Min: size, Max: size, Class: class}}
}

func different(i int) evidence.Spans { return of(0, int64(1000+i)) }
func many(i int) uint16              { return 3 << (i % 15) }
func nobody(int) uint16              { return 0 }
func below(n int) func(i int) bool   { return func(i int) bool { return i < n } }
func either[T any](is bool, a, b T) T {
	if is {
		return a
	}
	return b
}

// Each property is noted from its threshold on, with figures, and not just below.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		from int // URLs with the property, of 100
		make func(has func(i int) bool) window
		want Note
	}{
		{"one size", 51, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans { return either(has(i), of(0, 7), different(i)) }, many}
		}, Note{Kind: OneSize, URLs: 51, Of: 100, Size: 7}},
		{"one size of a class", 51, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans {
				return either(has(i), of(2, 1500), either(i > 95, of(1, 1500), different(i)))
			}, many}
		}, Note{Kind: OneSize, URLs: 51, Of: 100, Size: 1500}},
		{"sizes apart", 51, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans {
				return evidence.Spans{{Min: either[int64](has(i), 989, 990), Max: 1000}}
			}, many}
		}, Note{Kind: SizesApart, URLs: 51, Of: 100, Tolerance: .01}},
		{"one client", 91, func(has func(int) bool) window {
			return window{different, func(i int) uint16 { return 1<<3 | either[uint16](has(i) && i > 0, 0, 1<<4) }}
		}, Note{Kind: OneClient, URLs: 90, Of: 100}},
		{"headers", 51, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans { return of(either[uint8](has(i), 8+2, 2), int64(1000+i)) }, many}
		}, Note{Kind: Headers, URLs: 51, Of: 100}},
		{"perhaps headers", 51, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans { return of(either[uint8](has(i), 16, 0), int64(1000+i)) }, many}
		}, Note{Kind: MaybeHeaders, URLs: 51, Of: 100}},
		{"encodings", 10, func(has func(int) bool) window {
			return window{func(i int) evidence.Spans {
				n := int64(1000 + i)
				return either(has(i), evidence.Spans{{Min: n, Max: n, Class: 1}, {Min: n / 3, Max: n / 3, Class: 2}}, of(2, n))
			}, many}
		}, Note{Kind: Encodings, URLs: 10, Of: 100}},
	} {
		if got := c.make(below(c.from)).notes(100); !slices.Equal(got, []Note{c.want}) {
			t.Errorf("%s: notes %+v, want %+v", c.name, got, c.want)
		}
		if got := c.make(below(c.from - 1)).notes(100); got != nil {
			t.Errorf("%s: notes %+v just below the threshold", c.name, got)
		}
		if got := c.make(below(c.from)).notes(49); got != nil {
			t.Errorf("%s: notes %+v on a small window", c.name, got)
		}
	}
}

// A log without clients, or with one, says so, from ten URLs on.
func TestNoneOrOneClient(t *testing.T) {
	for _, c := range []struct {
		name  string
		masks []uint16 // of the first URLs, and the last again for all others
		urls  int
		want  []Note
	}{
		{"no client", []uint16{0}, 10, []Note{{Kind: NoClient, URLs: 10, Of: 10}}},
		{"no client, few URLs", []uint16{0}, 9, nil},
		{"one client", []uint16{8}, 10, []Note{{Kind: OneClient, URLs: 10, Of: 10}}},
		{"one client, few URLs", []uint16{8}, 9, nil},
		{"one client, and lines without", []uint16{0, 0, 8}, 12, []Note{{Kind: OneClient, URLs: 10, Of: 10}}},
		{"two clients", []uint16{4, 8}, 12, nil},
		{"two clients of one URL", []uint16{12, 8}, 12, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := window{different, many}.of(c.urls)
			for i := range w.Clients {
				w.Clients[i] = c.masks[min(i, len(c.masks)-1)]
			}
			if got := bare(Of(w).Notes); !slices.Equal(got, c.want) {
				t.Errorf("notes %+v, want %+v", got, c.want)
			}
		})
	}
}

// A window of 50 URLs is large enough.
func TestLeast(t *testing.T) {
	w := window{func(int) evidence.Spans { return of(0, 7) }, many}
	if got, want := w.notes(50), []Note{{Kind: OneSize, URLs: 50, Of: 50, Size: 7}}; !slices.Equal(got, want) {
		t.Errorf("notes %+v, want %+v", got, want)
	}
}

// A clean log has no notes: also with single hits, without clients, with images that are
// not compressed, without sizes, and with digests.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		name string
		want window
	}{
		{"bodies", window{different, many}},
		{"no clients", window{different, nobody}},
		{"half of the lines have no client", window{different, func(i int) uint16 { return either[uint16](i%4 < 2, 0, 1<<(i%16)) }}},
		{"own clients", window{different, func(i int) uint16 { return 1 << (i % 16) }}},
		{"images are not gzip", window{func(i int) evidence.Spans { return of(uint8(1+i%2), int64(1000+i)) }, many}},
		{"no sizes", window{func(int) evidence.Spans { return nil }, many}},
		{"digests", window{func(i int) evidence.Spans { return of(evidence.Digest, int64(i)) }, many}},
		{"sizes differ little", window{func(i int) evidence.Spans { return evidence.Spans{{Min: 9920 + int64(i), Max: 10000 + int64(i)}} }, many}},
	} {
		if got := c.want.notes(100); got != nil {
			t.Errorf("%s: notes %+v", c.name, got)
		}
	}
}

// An unknown encoding is no encoding, and URLs of unknown encoding do not count.
func TestUnknownEncoding(t *testing.T) {
	sizes := func(several int) func(i int) evidence.Spans {
		return func(i int) evidence.Spans {
			n := int64(1000 + i)
			all := evidence.Spans{{Min: n, Max: n}}
			for class := range uint8(either(i < several, 2, either(i < 60, 1, 0))) {
				all = append(all, evidence.Span{Min: n, Max: n, Class: 1 + class})
			}
			return all
		}
	}
	if got, want := (window{sizes(6), many}).notes(100), []Note{{Kind: Encodings, URLs: 6, Of: 60}}; !slices.Equal(got, want) {
		t.Errorf("notes %+v, want %+v", got, want)
	}
	if got := (window{sizes(5), many}).notes(100); got != nil {
		t.Errorf("notes %+v", got)
	}
}

// Digests are no sizes, and pages without a size do not count.
func TestUnknown(t *testing.T) {
	sizes := func(i int) evidence.Spans {
		if i >= 60 {
			return of(evidence.Digest, 7)
		}
		return append(of(0, 7), of(evidence.Digest, int64(i))...)
	}
	if got, want := (window{sizes, nobody}).notes(100), []Note{{Kind: OneSize, URLs: 60, Of: 60, Size: 7}}; !slices.Equal(got, want) {
		t.Errorf("notes %+v, want %+v", got, want)
	}
}

// All kinds about sizes may stand together, in the order of the kinds.
func TestAll(t *testing.T) {
	w := window{func(int) evidence.Spans {
		return evidence.Spans{{Min: 5, Max: 5, Class: 8 + 1}, {Min: 6, Max: 6, Class: 8 + 2}, {Min: 1, Max: 9, Class: 16}}
	}, func(i int) uint16 { return 1 << (i / 99) }}
	want := "[one_size 100 sizes_apart 100 one_client 99 headers 100 maybe_headers 100 encodings 100]"
	var got []string
	for _, n := range w.notes(100) {
		got = append(got, fmt.Sprint(n.Kind, " ", n.URLs))
	}
	if fmt.Sprint(got) != want {
		t.Errorf("notes %v, want %v", got, want)
	}
}

// Hits count as well as URLs, if they are counted. A size that few URLs have is that of a page that
// many people read, and is not noted.
func TestHits(t *testing.T) {
	sizes := map[string]func(i int) evidence.Spans{
		"one size":  func(i int) evidence.Spans { return either(i < 10, of(0, 7), different(i)) },
		"few URLs":  func(i int) evidence.Spans { return either(i < 9, of(0, 7), different(i)) },
		"two sizes": func(i int) evidence.Spans { return either(i < 20, of(0, int64(7+i%2)), different(i)) },
		"apart":     func(i int) evidence.Spans { return either(i == 3, evidence.Spans{{Min: 90, Max: 100}}, different(i)) },
	}
	for _, c := range []struct {
		sizes  string
		hits   func(i int) int64
		want   Note
		noted  bool
		either string
	}{
		{"one size", func(i int) int64 { return either[int64](i < 10, 10, 1) }, Note{Kind: OneSize, URLs: 10, Of: 100, Hits: 100, OfHits: 190, Size: 7}, true, ""},
		{"one size", func(i int) int64 { return either[int64](i < 10, 9, 1) }, Note{}, false, "half of the hits"},
		{"few URLs", func(i int) int64 { return either[int64](i < 9, 1000, 1) }, Note{}, false, "nine URLs"},
		{"two sizes", func(i int) int64 { return either[int64](i < 20, 5, 1) }, Note{Kind: CrowdedSizes, URLs: 20, Of: 100, Hits: 100, OfHits: 180, Contents: 2}, true, ""},
		{"apart", func(i int) int64 { return either[int64](i == 3, 100, 1) }, Note{Kind: SizesApart, URLs: 1, Of: 100, Hits: 100, OfHits: 199, Tolerance: .01}, true, ""},
		{"apart", func(i int) int64 { return either[int64](i == 3, 99, 1) }, Note{}, false, "half of the hits"},
	} {
		w := window{sizes[c.sizes], nobody}.of(100)
		for i := range w.Pages {
			w.Hits = append(w.Hits, c.hits(i))
		}
		if got := bare(Of(w).Notes); c.noted != (len(got) == 1) || c.noted && got[0] != c.want {
			t.Errorf("%s, %s: notes %+v, want %+v", c.sizes, c.either, got, c.want)
		}
	}
}

// Several frequent sizes are noted by their URLs.
func TestCrowdedSizes(t *testing.T) {
	w := window{func(i int) evidence.Spans { return either(i < 85, of(0, int64(100+i%5)), different(i)) }, many}
	if got, want := w.notes(100), []Note{{Kind: CrowdedSizes, URLs: 85, Of: 100, Contents: 5}}; !slices.Equal(got, want) {
		t.Errorf("notes %+v, want %+v", got, want)
	}
}

// The example of a note has the property, looks like no secret and is short. A note without such a
// URL has no example.
func TestExample(t *testing.T) {
	for _, c := range []struct{ urls, want string }{
		{"/a /b", "/a"},
		{"/a?token=9f3c2b7d81e04a6f /b", "/b"},
		{"/" + strings.Repeat("x", 120) + " /y", "/y"},
		{"/a?token=9f3c2b7d81e04a6f", ""},
	} {
		w := window{func(int) evidence.Spans { return of(0, 7) }, nobody}.of(60)
		for i, url := range strings.Fields(c.urls) {
			w.Pages[i].URL = url
		}
		for i := len(strings.Fields(c.urls)); i < len(w.Pages); i++ {
			w.Pages[i].Evidence = either(i < 59, of(0, 7), different(i))
			w.Pages[i].URL = fmt.Sprintf("/z?token=9f3c2b7d81e04a%02d", i)
		}
		if got := Of(w).Notes; len(got) != 1 || got[0].Example != c.want {
			t.Errorf("%s: notes %+v", c.urls, got)
		}
	}
}

var allKinds = []Kind{OneSize, CrowdedSizes, CatchAll, SizesApart, NoClient, OneClient, Scanner, Headers, MaybeHeaders, Encodings}

// Each kind has a text with its figures and its example.
func TestString(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range allKinds {
		text := Note{Kind: k, URLs: 812, Of: 1000, Hits: 1, OfHits: 4, Size: 1, Contents: 3, Clients: 1, Tolerance: .01, Example: "/x"}.String()
		if seen[text] = true; !strings.HasPrefix(text, "812 of 1000 URLs, with 25 % of the requests, ") || !strings.HasSuffix(text, ", for example /x") || strings.Contains(text, "%!") {
			t.Errorf("%s: %q", k, text)
		}
	}
	if len(seen) != len(allKinds) {
		t.Errorf("%d texts", len(seen))
	}
	if got := (Note{Kind: Scanner, URLs: 1, Of: 2, Clients: 2}).String(); !strings.HasPrefix(got, "1 of 2 URLs were requested only by what seem to be scanners: 2 groups of clients") || strings.Contains(got, "example") {
		t.Errorf("%q", got)
	}
}

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
	if got, want := fmt.Sprint(s.Pages, s.Without, s.Digests, s.Crowd), "64 2 12 22"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	add(3000, of(0, 12345)) // makes the others too small a share
	if s := SizesOf(pages); s.Crowd != 3000 {
		t.Errorf("%d pages of crowded sizes", s.Crowd)
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
	for _, kind := range allKinds {
		if n := (Note{Kind: kind}); n.Why() == "" || n.Advice() == "" {
			t.Errorf("%s has no reason or no advice", kind)
		}
	}
}
