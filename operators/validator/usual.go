package validator

import "dustbuster/operators/table"

// A stranger can make up any number of URLs, each asked for once. So where the share of
// URLs matters that an update changes, only those count that were seen in two panes of
// time, or by two clients.

// sighting is when, and by whom, a URL was seen.
type sighting struct {
	pane      int64 // the first second of one
	panes     bool  // there are several
	low, high uint8 // hashes of clients
}

func sightingOf(o *table.Observation) sighting {
	return sighting{pane: o.Time, low: o.ClientMin, high: o.ClientMax}
}

// widen folds an observation in.
func (s *sighting) widen(o *table.Observation) {
	s.panes = s.panes || o.Time != s.pane
	s.low, s.high = min(s.low, o.ClientMin), max(s.high, o.ClientMax)
}

// again reports whether the URL was seen in two panes, or by two clients where the clients
// of the site can be told from each other.
func (s *sighting) again(clients bool) bool { return s.panes || clients && s.low != s.high }

// note notes whether a page counts.
func (w *Window) note(page int, counts bool) {
	if counts && w.usual == nil {
		w.usual = make([]bool, len(w.pages))
	}
	if counts {
		w.usual[page] = true
	}
}

// counts reports whether a page counts where a share of the URLs is asked for. All pages
// do if none was seen twice: then the window has one pane, or as good as one, and clients
// that cannot be told from each other.
func (w *Window) counts(page int) bool { return w.usual == nil || w.usual[page] }
