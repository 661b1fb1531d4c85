package lifecycle

import "dustbuster/operators/window/evidence"

// A client can invent any number of URLs, each requested once. The share of URLs changed by
// an update is therefore counted only over URLs seen in two panes or by two clients.

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

// again reports whether the URL was seen in two panes, or by two clients where the site's
// clients can be told apart.
func (s *sighting) again(clients bool) bool { return s.panes || clients && several(s.mask) }

// note notes whether a page counts.
func (w *Window) note(page int, counts bool) {
	if counts && w.usual == nil {
		w.usual = make([]bool, len(w.pages))
	}
	if counts {
		w.usual[page] = true
	}
}

// counts reports whether a page counts towards a share of the URLs. If no page was seen
// twice, all pages count: the window then has effectively one pane, and clients that cannot
// be told apart.
func (w *Window) counts(page int) bool { return w.usual == nil || w.usual[page] }
