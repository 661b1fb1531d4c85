package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// Window is a site's URL list at one moment. Immutable.
type Window struct {
	pages []evidence.Page  // in byte order of their URLs
	mark  uint64           // hash that distinguishes lists of URLs
	held  map[string]int32 // URLs that hold each token
	usual []bool           // by page: the page counts towards shares of URLs; nil: all pages do

	clients bool     // clients can be told apart
	masks   []uint16 // by page: of the clients that requested the page; nil: unknown

	newest     []evidence.Spans   // by page: sizes in the newest pane; nil: there is one endless pane
	separators urlnorm.Separators // in the queries of the pages of this window and of earlier windows
}

// NewWindow takes ownership of the slice of pages. URLs named twice count once. O(n log n).
func NewWindow(pages []evidence.Page) *Window {
	slices.SortStableFunc(pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	pages = slices.CompactFunc(pages, func(a, b evidence.Page) bool { return a.URL == b.URL })
	w := &Window{pages: pages, held: map[string]int32{}}
	last := map[string]int32{} // by token: the last page with the token, plus one
	for i := range pages {
		w.mark = w.mark*31 + siphash.Hash(0, 0, []byte(pages[i].URL))
		for token := range tokens(pages[i].URL) {
			if last[token] != int32(i)+1 {
				last[token] = int32(i) + 1
				w.held[token]++
			}
		}
		w.separators.Add([]byte(pages[i].URL))
	}
	return w
}

// WindowOf copies the window of a miner. O(URLs) time, and memory for the text of the URLs.
func WindowOf(m *miner.Machine) *Window {
	number := map[string]int{}
	var pages []evidence.Page
	var seen []sighting
	var recent []evidence.Page // with the evidence of the newest pane
	newest, _ := m.Newest()
	for o := range m.Observations() {
		i, known := number[string(o.URL)]
		if !known {
			i = len(pages)
			pages, seen = append(pages, evidence.Page{URL: string(o.URL)}), append(seen, sightingOf(o))
			recent = append(recent, evidence.Page{})
			number[pages[i].URL] = i
		}
		pages[i].Join(o)
		seen[i].widen(o)
		if o.Time == newest {
			recent[i].Join(o)
		}
	}
	w := NewWindow(pages)
	w.separators |= m.Separators()
	w.clients = m.ManyClients()
	w.masks = make([]uint16, len(w.pages))
	if newest != 0 {
		w.newest = make([]evidence.Spans, len(w.pages))
	}
	for i := range w.pages {
		n := number[w.pages[i].URL]
		w.note(i, seen[n].again(w.clients))
		w.masks[i] = seen[n].mask
		if w.newest != nil {
			w.newest[i] = recent[n].Evidence
		}
	}
	return w
}

// Len returns the number of URLs.
func (w *Window) Len() int { return len(w.pages) }

// observationsOf returns the page's spans as observations of another URL: the canonical form
// represented by the page.
func observationsOf(p *evidence.Page, form string) []evidence.Observation {
	url := []byte(form)
	all := []evidence.Observation{{URL: url, Class: evidence.Digest}} // a form without a span is a URL of the window as well
	for _, s := range p.Evidence {
		o := evidence.Observation{URL: url}
		o.Set(evidence.Part{Class: s.Class, Extent: evidence.Extent{Min: s.Min, Max: s.Max}})
		all = append(all, o)
	}
	return all
}
