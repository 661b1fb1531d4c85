package notes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// site is a made-up site with its visitors, of which the tests know the truth.
type site struct {
	rng     *rand.Rand
	pages   map[string]evidence.Spans
	clients map[string]uint16
	others  []int // bits that no visitor has
}

func newSite(seed uint64, others ...int) *site {
	return &site{rand.New(rand.NewPCG(seed, 2)), map[string]evidence.Spans{}, map[string]uint16{}, others}
}

// see makes clients request a page of a size; 0: of a size of its own.
func (s *site) see(url string, size int64, bits ...int) {
	if size == 0 {
		size = 3000 + s.rng.Int64N(40000)
	}
	if _, known := s.pages[url]; !known {
		s.pages[url] = of(0, size)
	}
	for _, b := range bits {
		s.clients[url] |= 1 << b
	}
}

// visitors returns bits of some visitors.
func (s *site) visitors() (bits []int) {
	for range 1 + s.rng.IntN(3) {
		bits = append(bits, s.rng.IntN(16))
	}
	return slices.DeleteFunc(bits, func(b int) bool { return slices.Contains(s.others, b) })
}

func (s *site) window() *Window {
	w := &Window{Tolerance: .01}
	for url, e := range s.pages {
		w.Pages = append(w.Pages, evidence.Page{URL: url, Evidence: e})
	}
	slices.SortFunc(w.Pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	for i := range w.Pages {
		w.Clients = append(w.Clients, s.clients[w.Pages[i].URL])
	}
	return w
}

// blog makes an ordinary site: entries that few visitors read, a crawler that asks for all of
// them, lists, tags that several entries share, pictures, and style sheets with numbers against
// caches.
func (s *site) blog(entries int) {
	const crawler = 5
	for i := range entries {
		url := fmt.Sprintf("/blog/an-entry-about-%d", i)
		s.see(url, 0, append(s.visitors(), crawler)...)
		s.see(url+"?utm_source=feed", s.pages[url][0].Min, s.visitors()...)
		s.see(fmt.Sprintf("/blog/tags/word%d", i), 0, append(s.visitors(), crawler)...)
		s.see(fmt.Sprintf("/blog/old/%d", i), 0, crawler)
		s.see(fmt.Sprintf("/list?page=%d&by=date", i), 0, append(s.visitors(), crawler)...)
		s.see(fmt.Sprintf("/pictures/%d.jpg", i), 0, s.visitors()...)
		s.see(fmt.Sprintf("/style.css?%d", 1458000+i), 2500, s.visitors()...)
	}
	s.see("/", 7777, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

func kinds(s *Site) (all []Kind) {
	for _, n := range s.Notes {
		all = append(all, n.Kind)
	}
	return all
}

// An ordinary site has no notes, also where many of its pages have one size: pictures of one
// format, short texts, copies of a template, an address for each visitor to come back to, and
// search words in the place of names.
func TestOrdinary(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(s *site)
	}{
		{"nothing else", func(*site) {}},
		{"pictures", func(s *site) {
			each(60, func(i int) { s.see(fmt.Sprintf("/thumbs/t%d.bmp", i), 3126, s.visitors()...) })
		}},
		{"short texts", func(s *site) {
			each(60, func(i int) { s.see(fmt.Sprintf("/notes/2.%d.txt", i), 167, s.visitors()...) })
		}},
		{"numbers", func(s *site) { each(60, func(i int) { s.see(fmt.Sprintf("/item/%d", i), 900, s.visitors()...) }) }},
		{"templates", func(s *site) {
			each(60, func(i int) { s.see(fmt.Sprintf("/talks/%d/start", i), 4100, s.visitors()...) })
		}},
		{"login", func(s *site) {
			each(60, func(i int) { s.see(fmt.Sprintf("/login?back=/blog/entry-%d", i), 2200, s.visitors()...) })
		}},
		{"tags of one entry", func(s *site) {
			each(10, func(i int) { s.see(fmt.Sprintf("/tags/only%d", i), 5100, s.visitors()...) })
		}},
		{"search words", func(s *site) {
			each(600, func(i int) { s.see(fmt.Sprintf("/search?word%c%d", 'a'+rune(i%26), i), 0, s.rng.IntN(16)) })
		}},
		{"a counting client", func(s *site) {
			each(100, func(i int) { s.see(fmt.Sprintf("/poll?%d", 9000+i), 120, 3) })
		}},
	} {
		for seed := range uint64(10) {
			s := newSite(seed)
			s.blog(100)
			c.make(s)
			if got := Of(s.window()); len(got.Notes) > 0 {
				t.Errorf("%s, seed %d: notes %v", c.name, seed, got.Notes)
			}
		}
	}
}

func each(n int, do func(i int)) {
	for i := range n {
		do(i)
	}
}

// A catch-all is told with its pages, and nothing else: the front page for any name, or an error
// page for each of three parts of the site.
func TestCatchAllPlanted(t *testing.T) {
	for seed := range uint64(10) {
		for _, contents := range [][]int64{{7777}, {811, 822, 833}} {
			s := newSite(seed)
			s.blog(100)
			planted := map[string]bool{}
			if len(contents) == 1 {
				planted["/"] = true // the front page is what is shown
			}
			each(40, func(i int) {
				url := fmt.Sprintf([]string{"/odd%d", "/blog/odd%d.php", "/a/b/odd%d/"}[i%3], i)
				s.see(url, contents[i%len(contents)], s.visitors()...)
				planted[url] = true
			})
			w := s.window()
			got := Of(w)
			if fmt.Sprint(kinds(got)) != "[catch_all]" {
				t.Fatalf("seed %d: notes %v", seed, got.Notes)
			}
			n := got.Notes[0]
			if n.URLs != len(planted) || n.Of != len(w.Pages) || n.Contents != len(contents) || !planted[n.Example] || n.Example == "/" {
				t.Errorf("seed %d: note %+v, want %d URLs of %d and %d pages", seed, n, len(planted), len(w.Pages), len(contents))
			}
			for i := range w.Pages {
				if got.CatchAll(i) != planted[w.Pages[i].URL] {
					t.Errorf("seed %d: %s is of the catch-all: %v", seed, w.Pages[i].URL, got.CatchAll(i))
				}
			}
		}
	}
}

// Scanners are told with the URLs that nobody else asks for, and nothing else, if no visitor has
// their bits. Other clients, also a crawler that alone asks for many pages, are none.
func TestScannerPlanted(t *testing.T) {
	for seed := range uint64(10) {
		for _, scanners := range [][]int{{9}, {9, 12, 14}} {
			s := newSite(seed, scanners...)
			s.blog(100)
			planted := map[string]bool{}
			each(40*len(scanners), func(i int) {
				url := fmt.Sprintf([]string{"/list?try%d=x", "/blog/?%%27try%d", "/blog/an-entry-about-7?page=1&try%d=/etc/passwd"}[i%3], i)
				s.see(url, 0, scanners[i%len(scanners)])
				planted[url] = true
			})
			each(30, func(i int) { s.see(fmt.Sprintf("/list?page=%d&by=date", i), 0, scanners...) }) // which visitors ask for, too
			w := s.window()
			got := Of(w)
			if fmt.Sprint(kinds(got)) != "[scanner]" {
				t.Fatalf("seed %d: notes %v", seed, got.Notes)
			}
			if n := got.Notes[0]; n.URLs != len(planted) || n.Of != known(w) || n.Clients != len(scanners) || !planted[n.Example] {
				t.Errorf("seed %d: note %+v, want %d URLs of %d", seed, n, len(planted), len(w.Pages))
			}
			for i := range w.Pages {
				if got.Scanned(i) != planted[w.Pages[i].URL] {
					t.Errorf("seed %d: %s is scanned: %v", seed, w.Pages[i].URL, got.Scanned(i))
				}
			}
		}
	}
}

func known(w *Window) (n int) {
	for _, mask := range w.Clients {
		n += min(1, int(mask))
	}
	return n
}

// A scanner that tries paths is known by the catch-all that answers.
func TestScannerOfPaths(t *testing.T) {
	s := newSite(1, 9)
	s.blog(100)
	each(40, func(i int) { s.see(fmt.Sprintf("/odd%d.php", i), 7777, 9) })
	got := Of(s.window())
	if fmt.Sprint(kinds(got)) != "[catch_all scanner]" || got.Notes[1].URLs != 40 {
		t.Errorf("notes %v", got.Notes)
	}
}

// A scanner that tries values is known by the few answers that it gets, and others seldom. A crawler
// that alone asks for many pages, and one that counts, are none.
func TestScannerOfValues(t *testing.T) {
	for _, c := range []struct {
		name string
		url  func(i int) string
		size func(i int) int64
		want string
	}{
		{"values", func(i int) string { return fmt.Sprintf("/list?page=%%27%c%c--", 'a'+rune(i%26), 'a'+rune(i/26)) }, func(i int) int64 { return 700 + int64(i%3) }, "[scanner]"},
		{"a crawler", func(i int) string { return fmt.Sprintf("/list?page=%c%c", 'a'+rune(i%26), 'a'+rune(i/26)) }, func(i int) int64 { return 700 + 20*int64(i) }, "[]"},
		{"numbers", func(i int) string { return fmt.Sprintf("/list?page=%d", i) }, func(i int) int64 { return 700 }, "[]"},
	} {
		s := newSite(1, 9)
		s.blog(100)
		s.see("/list?page=1", 5000, s.visitors()...)
		each(100, func(i int) { s.see(c.url(i), c.size(i), 9) })
		if got := Of(s.window()); fmt.Sprint(kinds(got)) != c.want {
			t.Errorf("%s: notes %v, want %s", c.name, got.Notes, c.want)
		}
	}
}

// In a log of few clients, nobody is a scanner.
func TestFewClients(t *testing.T) {
	s := newSite(1)
	s.blog(100)
	each(40, func(i int) { s.see(fmt.Sprintf("/list?try%d=x", i), 0, 3) })
	w := s.window()
	if got := Of(w); fmt.Sprint(kinds(got)) != "[scanner]" {
		t.Fatalf("notes %v", got.Notes)
	}
	for i := range w.Clients {
		w.Clients[i] = (w.Clients[i] | w.Clients[i]>>8) & 0x7f // seven bits
	}
	if got := Of(w); len(got.Notes) > 0 {
		t.Errorf("notes %v of seven clients", got.Notes)
	}
}

// Random names cost no more than others, and are told as a catch-all only if they show one page.
func TestRandomNames(t *testing.T) {
	for _, one := range []bool{false, true} {
		s := newSite(1)
		each(40000, func(i int) {
			s.see(fmt.Sprintf("/%x/%x?%x=1", s.rng.IntN(50), s.rng.Uint64(), s.rng.Uint64()), either[int64](one, 900, 1000+int64(i)), i%16)
		})
		if got := Of(s.window()); len(got.Notes) != either(one, 2, 0) {
			t.Errorf("one page %v: notes %v", one, got.Notes)
		}
	}
}
