package validator

import (
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/miner"
	"dustbuster/operators/table"
	"dustbuster/operators/urllist"

	"github.com/dchest/siphash"
)

// Page is a URL of the window with what is known of its size.
type Page struct {
	URL      string // mined string
	Evidence urllist.Evidence
}

// Window is a site's URL list at one moment. Immutable.
type Window struct {
	pages []Page         // in byte order of their URLs
	mark  uint64         // tells two lists of URLs apart
	paths map[string]int // URLs of each path
	usual []bool         // by page: it counts where shares of URLs are asked for; nil: all do

	clients bool   // clients can be told from each other
	several []bool // by page: two clients asked for it, or more; nil: that is not known

	newest []urllist.Evidence // by page: its sizes in the newest pane; nil: there is one endless pane
}

// NewWindow takes the pages, and their slice, as they are; URLs named twice count
// once. O(n log n).
func NewWindow(pages []Page) *Window {
	slices.SortStableFunc(pages, func(a, b Page) int { return strings.Compare(a.URL, b.URL) })
	pages = slices.CompactFunc(pages, func(a, b Page) bool { return a.URL == b.URL })
	w := &Window{pages: pages, paths: map[string]int{}}
	for i := range pages {
		w.mark = w.mark*31 + siphash.Hash(0, 0, []byte(pages[i].URL))
		w.paths[pathOf(pages[i].URL)]++
	}
	return w
}

// WindowOf copies the window of a miner. O(URLs), and as much memory as their
// text.
func WindowOf(m *miner.Machine) *Window {
	number := map[string]int{}
	var pages []Page
	var seen []sighting
	var recent []Page // as the newest pane shows them
	newest, _ := m.Newest()
	for o := range m.Observations() {
		i, known := number[string(o.URL)]
		if !known {
			i = len(pages)
			pages, seen = append(pages, Page{URL: string(o.URL)}), append(seen, sightingOf(o))
			recent = append(recent, Page{})
			number[pages[i].URL] = i
		}
		pages[i].widen(o)
		seen[i].widen(o)
		if o.Time == newest {
			recent[i].widen(o)
		}
	}
	w := NewWindow(pages)
	w.clients = m.ManyClients()
	w.several = make([]bool, len(w.pages))
	if newest != 0 {
		w.newest = make([]urllist.Evidence, len(w.pages))
	}
	for i := range w.pages {
		n := number[w.pages[i].URL]
		w.note(i, seen[n].again(w.clients))
		w.several[i] = seen[n].low != seen[n].high
		if w.newest != nil {
			w.newest[i] = recent[n].Evidence
		}
	}
	return w
}

// Len is the number of URLs.
func (w *Window) Len() int { return len(w.pages) }

// widen folds an observation into the evidence.
func (p *Page) widen(o *table.Observation) {
	if o.Max > 0 {
		p.Evidence = join(p.Evidence, urllist.Span{Class: o.Class, Min: o.Min, Max: o.Max})
	}
	if o.DigestMax > 0 {
		p.Evidence = join(p.Evidence, urllist.Span{Class: urllist.Digest, Min: ordered(o.DigestMin), Max: ordered(o.DigestMax)})
	}
}

// ordered is a digest as a number of the same order.
func ordered(digest uint64) int64 { return int64(digest ^ 1<<63) }

// join widens the span of a class, or puts it in its place.
func join(e urllist.Evidence, s urllist.Span) urllist.Evidence {
	at, found := slices.BinarySearchFunc(e, s.Class, func(s urllist.Span, class uint8) int { return int(s.Class) - int(class) })
	if !found {
		return slices.Insert(e, at, s)
	}
	e[at].Min, e[at].Max = min(e[at].Min, s.Min), max(e[at].Max, s.Max)
	return e
}

// observations yields what a page's evidence says, under another URL: the form
// that the page stands for.
func (p *Page) observations(form string) []table.Observation {
	all := []table.Observation{{URL: []byte(form), Class: urllist.Digest}}
	for _, s := range p.Evidence {
		if s.Class == urllist.Digest {
			all[0].DigestMin, all[0].DigestMax = uint64(s.Min)^1<<63, uint64(s.Max)^1<<63
			continue
		}
		all = append(all, table.Observation{URL: all[0].URL, Class: s.Class, Min: s.Min, Max: s.Max})
	}
	return all
}

// bunch is how many URLs of a path are drawn together, at most and about.
const bunch = 8

// bunches is how many bunches a path's URLs make, less one: a power of two.
func (w *Window) bunches(path string) uint64 {
	return 1<<bits.Len(uint(w.paths[path]/bunch)) - 1
}
