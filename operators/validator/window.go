package validator

import (
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/evidence"
	"dustbuster/operators/mined"
	"dustbuster/operators/miner"

	"github.com/dchest/siphash"
)

// Page is a URL of the window with what is known of its size.
type Page struct {
	URL      string // mined string
	Evidence evidence.Spans
}

// Window is a site's URL list at one moment. Immutable.
type Window struct {
	pages []Page         // in byte order of their URLs
	mark  uint64         // tells two lists of URLs apart
	paths map[string]int // URLs of each path
	usual []bool         // by page: it counts where shares of URLs are asked for; nil: all do

	clients bool   // clients can be told from each other
	several []bool // by page: two clients asked for it, or more; nil: that is not known

	newest     []evidence.Spans // by page: its sizes in the newest pane; nil: there is one endless pane
	separators mined.Separators // in the queries of the pages, and of those that were in earlier windows
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
		w.separators.Add([]byte(pages[i].URL))
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
	w.separators |= m.Separators()
	w.clients = m.ManyClients()
	w.several = make([]bool, len(w.pages))
	if newest != 0 {
		w.newest = make([]evidence.Spans, len(w.pages))
	}
	for i := range w.pages {
		n := number[w.pages[i].URL]
		w.note(i, seen[n].again(w.clients))
		w.several[i] = seen[n].clients()
		if w.newest != nil {
			w.newest[i] = recent[n].Evidence
		}
	}
	return w
}

// Len is the number of URLs.
func (w *Window) Len() int { return len(w.pages) }

// widen folds an observation into what is known of the page.
func (p *Page) widen(o *evidence.Observation) {
	for i := range o.Parts() {
		if part := o.Part(i); !part.Empty() {
			p.Evidence = p.Evidence.Join(part.Span())
		}
	}
}

// observations returns what the page's spans say, under another URL: the canonical
// form that the page stands for.
func (p *Page) observations(form string) []evidence.Observation {
	url := []byte(form)
	all := []evidence.Observation{{URL: url, Class: evidence.Digest}} // a form without a span is a URL of the window, too
	for _, s := range p.Evidence {
		o := evidence.Observation{URL: url}
		o.Set(evidence.Part{Class: s.Class, Extent: evidence.Extent{Min: s.Min, Max: s.Max}})
		all = append(all, o)
	}
	return all
}

// bunch is how many URLs of a path are drawn together, at most and about.
const bunch = 8

// bunches is how many bunches a path's URLs make, less one: a power of two.
func (w *Window) bunches(path string) uint64 {
	return 1<<bits.Len(uint(w.paths[path]/bunch)) - 1
}
