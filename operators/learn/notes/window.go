package notes

import (
	"math/bits"

	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
)

// Window is the window of a site.
type Window struct {
	Pages     []evidence.Page // in byte order of their URLs
	Clients   []uint16        // mask of each page's clients; nil: not known
	Hits      []int64         // on each page; nil: not counted
	Tolerance float64         // with which sizes are compared
	NoSizes   bool            // pages are compared neither by size nor by digest
	LeftOut   int             // further URLs of the log, which its bounds leave out
	LeftHits  int64           // hits on these; 0: not counted
}

// Site is what the log of a window cannot tell. The zero Site is that of an empty window.
type Site struct {
	Notes []Note // at most one of each kind, in the order of the kinds
	Sized Shares

	caught  []bool // by page: of a catch-all; nil: none is
	scanned []bool // by page: requested by scanners only; nil: none is
}

// Shares says how the pages of a window can be compared.
type Shares struct {
	Off       bool    // pages are compared neither by size nor by digest
	Tolerance float64 // of sizes
	URLs      int64   // with a size
	Hits      int64   // on them; 0 if hits are not counted
	Crowd     int64   // URLs of crowded sizes
	Apart     int64   // URLs of sizes that are apart
	ApartHits int64   // hits on them
	Blurred   int64   // URLs of crowded sizes or of sizes that are apart
	BlurHits  int64   // hits on them
	Digests   int64   // URLs with a digest
}

const (
	least  = 50 // URLs
	most   = 50 // percent of the URLs or hits, exceeded
	nearly = 90 // percent of the URLs, reached
	mixed  = 10 // percent of the URLs, reached
)

// Of returns what the log of a window cannot tell. If pages are not compared, the notes are
// about clients alone. O(bytes of the URLs).
func Of(w *Window) *Site {
	s := &Site{Sized: Shares{Off: w.NoSizes}}
	s.sample(w)
	var c *census // nil: pages are not compared
	if !w.NoSizes {
		c = newCensus(w)
		s.Sized = c.shares()
		s.sizes(w, c)
		s.catchAll(w, c)
		s.apart(w, c)
	}
	if !s.fewClients(w) {
		s.oneClient(w)
	}
	s.scanners(w, c)
	if c != nil {
		s.bytes(w, c)
	}
	return s
}

// note adds a note on the pages that have a property, if enough pages are known.
func (s *Site) note(w *Window, n Note, has func(page int) bool) {
	if n.Of < least {
		return
	}
	n.Example = w.example(has)
	s.Notes = append(s.Notes, n)
}

// sample notes that the window is a sample, however small.
func (s *Site) sample(w *Window) {
	if w.LeftOut == 0 {
		return
	}
	n := Note{Kind: Sample, URLs: len(w.Pages), Of: len(w.Pages) + w.LeftOut}
	for _, hits := range w.Hits {
		n.Hits += hits
	}
	if w.LeftHits > 0 {
		n.OfHits = n.Hits + w.LeftHits
	} else {
		n.Hits = 0
	}
	s.Notes = append(s.Notes, n)
}

// Bounds of the example of a note.
const (
	longestExample = 120 // bytes
	mostLooks      = 100 // pages whose URL looks like a secret, or is too long
)

// example returns the first URL with a property that looks like no secret and is not too long.
func (w *Window) example(has func(page int) bool) string {
	looks := 0
	for i := range w.Pages {
		if !has(i) {
			continue
		}
		if url := w.Pages[i].URL; len(url) <= longestExample && !secret.InURL(url) {
			return url
		}
		if looks++; looks == mostLooks {
			break
		}
	}
	return ""
}

func (w *Window) clients(page int) uint16 {
	if w.Clients == nil {
		return 0
	}
	return w.Clients[page]
}

// hits returns the hits on a page, or 0 if they are not counted.
func (w *Window) hits(page int) int64 {
	if w.Hits == nil {
		return 0
	}
	return w.Hits[page]
}

// CatchAll reports whether a page is the page of a catch-all.
func (s *Site) CatchAll(page int) bool { return s.caught != nil && s.caught[page] }

// Scanned reports whether scanners alone requested a page.
func (s *Site) Scanned(page int) bool { return s.scanned != nil && s.scanned[page] }

func above[N int | int64](n, of N) bool { return 100*n > most*of }

func reaches(n, of, percent int) bool { return 100*n >= percent*of }

// fewURLs is the number of URLs from which on it is noted that the log has no client, or one. Fewer
// have too few pairs for a trial.
const fewURLs = 10

// fewClients notes that the log names no client, or one only. It reports whether so.
func (s *Site) fewClients(w *Window) bool {
	known, all := 0, uint16(0)
	for _, mask := range w.Clients {
		all |= mask
		if mask != 0 {
			known++
		}
	}
	switch {
	case w.Clients == nil || all&(all-1) != 0:
		return false
	case len(w.Pages) < fewURLs:
	case all == 0:
		s.Notes = append(s.Notes, Note{Kind: NoClient, URLs: len(w.Pages), Of: len(w.Pages)})
	default:
		n := Note{Kind: OneClient, URLs: known, Of: known}
		n.Example = w.example(func(page int) bool { return w.clients(page) != 0 })
		s.Notes = append(s.Notes, n)
	}
	return true
}

// oneClient notes that nearly all URLs of known clients were requested by one client only.
func (s *Site) oneClient(w *Window) {
	var alone [16]int // URLs by the bit of their only client
	known, bit := 0, 0
	for _, mask := range w.Clients {
		if mask == 0 {
			continue
		}
		known++
		if bits.OnesCount16(mask) == 1 {
			alone[bits.TrailingZeros16(mask)]++
		}
	}
	for b, n := range alone {
		if n > alone[bit] {
			bit = b
		}
	}
	if reaches(alone[bit], known, nearly) {
		s.note(w, Note{Kind: OneClient, URLs: alone[bit], Of: known}, func(page int) bool { return w.clients(page) == 1<<bit })
	}
}
