package forms

import (
	"iter"
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"

	"github.com/dchest/siphash"
)

// Window is a site's URL list at one moment. Immutable.
type Window struct {
	Pages []evidence.Page        // in byte order of their URLs
	place *search.Numbers        // of a URL
	mark  uint64                 // hash that distinguishes lists of URLs
	Held  map[string]int32       // URLs that hold each token
	usual []bool                 // by page: it counts towards shares of URLs; nil: all do
	split map[int]evidence.Spans // of the pages that are double in a class

	Clients bool     // clients can be told apart
	Masks   []uint16 // by page: of the clients that requested it, or all clients if it is settled (public.Crowd); nil: the pages are of no log

	asks     []int8   // by page: the number of clients; see Asks
	Families []uint32 // by page: of the families of clients (package crawler) that requested it; nil: unknown

	walls map[string]trial.Size // sizes that robots alone are sent, by kind of URL

	From, Until int64 // the time of the hits, in Unix seconds; 0: unknown

	Newest     []evidence.Spans   // by page: sizes in the newest pane; nil: there is one endless pane
	Separators urlnorm.Separators // in the queries of the pages of this window and of earlier windows
}

// NewWindow takes ownership of the slice of pages. URLs named twice count once. O(n log n).
func NewWindow(pages []evidence.Page) *Window {
	slices.SortStableFunc(pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	pages = slices.CompactFunc(pages, func(a, b evidence.Page) bool { return a.URL == b.URL })
	w := &Window{Pages: pages, Held: map[string]int32{}, place: search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })}
	last := map[string]int32{} // by token: the last page with the token, plus one
	for i := range pages {
		w.mark = w.mark*31 + siphash.Hash(0, 0, []byte(pages[i].URL))
		for token := range tokens(pages[i].URL) {
			if last[token] != int32(i)+1 {
				last[token] = int32(i) + 1
				w.Held[token]++
			}
		}
		w.Separators.Add([]byte(pages[i].URL))
	}
	return w
}

// WindowOf copies the window of a miner. O(URLs) time, and memory for the text of the URLs.
func WindowOf(m *miner.Machine) *Window {
	number := map[string]int{}
	var pages []evidence.Page
	var seen []sighting
	var families []uint32
	var recent []evidence.Page // with the evidence of the newest pane
	newest, _ := m.Newest()
	for o := range m.Observations() {
		i, known := number[string(o.URL)]
		if !known {
			i = len(pages)
			pages, seen = append(pages, evidence.Page{URL: string(o.URL)}), append(seen, sightingOf(o))
			recent, families = append(recent, evidence.Page{}), append(families, 0)
			number[pages[i].URL] = i
		}
		pages[i].Join(o)
		seen[i].widen(o)
		families[i] |= o.Families
		if o.Time == newest {
			recent[i].Join(o)
		}
	}
	w := NewWindow(pages)
	w.Separators |= m.Separators()
	w.Clients = m.ManyClients()
	w.From, w.Until = m.Span()
	w.findDoubles(m)
	w.Masks, w.Families = make([]uint16, len(w.Pages)), make([]uint32, len(w.Pages))
	if newest != 0 {
		w.Newest = make([]evidence.Spans, len(w.Pages))
	}
	for i := range w.Pages {
		w.Masks[i] = seen[number[w.Pages[i].URL]].mask
	}
	w.settle()
	again := false
	for i := range w.Pages {
		n := number[w.Pages[i].URL]
		w.Note(i, seen[n].panes || w.Clients && several(w.Masks[i]))
		again = again || seen[n].panes || w.Clients && w.asks[i] > 1
		w.Families[i] = families[n]
		if w.Newest != nil {
			w.Newest[i] = recent[n].Evidence
		}
	}
	w.findWalls()
	if !again { // pages that are only settled were not seen twice
		w.usual = nil
	}
	return w
}

// findDoubles notes the pages whose sizes fall into two groups.
func (w *Window) findDoubles(m *miner.Machine) {
	w.split = map[int]evidence.Spans{}
	for url, split := range m.Doubles() {
		i, _ := w.Find(string(url))
		w.split[i] = split
	}
}

// settle makes the masks such as agents tell them.
func (w *Window) settle() {
	w.asks = make([]int8, len(w.Pages))
	for i, mask := range w.Masks {
		w.asks[i] = int8(bits.OnesCount16(mask))
	}
	settled := public.Settle(w.Masks, func(yield func(int, string) bool) {
		for i := range w.Pages {
			if !yield(i, w.Pages[i].URL) {
				return
			}
		}
	})
	for i := range w.Pages {
		if settled[i] && !public.IsCounted(w.Pages[i].URL) {
			w.asks[i] = unheard
		}
	}
}

const unheard = -1 // number of clients

// Asks returns the number of clients that asked for a page, if it is known.
func (w *Window) Asks(page int) (clients int, known bool) {
	if w.asks == nil || w.asks[page] == unheard {
		return 0, false
	}
	return int(w.asks[page]), true
}

// Len returns the number of URLs.
func (w *Window) Len() int { return len(w.Pages) }

// ObservationsOf returns the page's spans as observations of another URL: the canonical form
// represented by the page.
func ObservationsOf(p *evidence.Page, form string) []evidence.Observation {
	url := []byte(form)
	all := []evidence.Observation{{URL: url, Class: evidence.Digest}} // a form without a span is a URL of the window as well
	for _, s := range p.Evidence {
		o := evidence.Observation{URL: url}
		o.Set(evidence.Part{Class: s.Class, Extent: evidence.Extent{Min: s.Min, Max: s.Max}})
		all = append(all, o)
	}
	return all
}

// Form returns the form of a page, given the texts on the way of its URL.
func (w *Window) Form(page int, steps []string) string {
	if len(steps) == 0 {
		return w.Pages[page].URL
	}
	return steps[len(steps)-1]
}

// Find returns the place of a URL in the window.
func (w *Window) Find(url string) (place int, known bool) { return w.place.Of([]byte(url)) }

// Bytes yields the window's URLs. Each is valid until the next.
func (w *Window) Bytes() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var url []byte
		for i := range w.Pages {
			url = append(url[:0], w.Pages[i].URL...)
			if !yield(url) {
				return
			}
		}
	}
}

// asked yields the URLs of the window, each with whether several clients asked for it.
func (w *Window) asked() iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		i := 0
		for url := range w.Bytes() {
			if !yield(url, w.Clients && public.Several(w.Masks[i])) {
				return
			}
			i++
		}
	}
}

// Logged returns the evidence of the log about a URL. A double has two sizes of a class.
func (w *Window) Logged(url string) (l trial.Logged) {
	if w == nil {
		return l
	}
	if len(w.walls) > 0 {
		l.Wall = w.walls[KindOf(url)]
	}
	i, known := w.Find(url)
	if !known {
		return l
	}
	sizes, isDouble := w.split[i]
	if !isDouble {
		sizes = w.Pages[i].Evidence
	}
	for _, s := range sizes {
		if s.Class != evidence.Digest {
			l.Sizes = append(l.Sizes, trial.Size{Min: s.Min, Max: s.Max, Class: s.Class})
		}
	}
	if d, one := w.Pages[i].Evidence.Digest(); one {
		l.Digest = uint64(d) ^ 1<<63
	}
	return l
}

// kinds returns the kinds of the window's URLs with their clients, or nil if URLs of any kind may
// be fetched. Where the log names no client, or one, no kind is public, and only bare URLs may be
// fetched. O(bytes).
func (w *Window) kinds(o *book.Options) *public.Kinds {
	if o.Kinds == book.AnyKind || w.Masks == nil {
		return nil
	}
	return w.allKinds(o)
}

// allKinds returns the kinds of the window's URLs. O(bytes).
func (w *Window) allKinds(o *book.Options) *public.Kinds {
	return public.New(o.Key, len(w.Pages), func(yield func(string, uint16) bool) {
		for i := range w.Pages {
			if !yield(w.Pages[i].URL, w.maskOf(i)) {
				return
			}
		}
	})
}

// all returns the mask of all clients of the window.
func (w *Window) all() (mask uint16) {
	for _, m := range w.Masks {
		mask |= m
	}
	return mask
}

// Nobody reports whether the window is of a log of which no line names a client.
func (w *Window) Nobody() bool { return w.Masks != nil && w.all() == 0 }

// Single reports whether all lines that name a client may be of one client.
func (w *Window) Single() bool {
	all := w.all()
	return all != 0 && !several(all)
}

// A client can invent any number of URLs, each requested once. The share of URLs changed by
// an update is therefore counted only over URLs seen in two panes or by two clients, where clients can be
// told apart. A settled URL counts as seen by all.

// sighting holds when a URL was seen, and by which clients.
type sighting struct {
	pane  int64  // the first second of one pane in which the URL was seen
	panes bool   // the URL was seen in several panes
	mask  uint16 // of the clients
}

func sightingOf(o *evidence.Observation) sighting {
	return sighting{pane: o.Time}
}

// widen folds an observation in.
func (s *sighting) widen(o *evidence.Observation) {
	s.panes = s.panes || o.Time != s.pane
	s.mask |= o.Clients
}

// several reports whether a mask is of two clients or more.
func several(mask uint16) bool { return mask&(mask-1) != 0 }

// Note notes whether a page counts.
func (w *Window) Note(page int, counts bool) {
	if counts && w.usual == nil {
		w.usual = make([]bool, len(w.Pages))
	}
	if counts {
		w.usual[page] = true
	}
}

// Counts reports whether a page counts towards a share of the URLs. If no page was seen
// twice, all pages count: the window then has effectively one pane, and clients that cannot
// be told apart.
func (w *Window) Counts(page int) bool { return w.usual == nil || w.usual[page] }
