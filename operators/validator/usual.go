package validator

import "dustbuster/operators/evidence"

// A stranger can make up any number of URLs, each asked for once. So where the share of
// URLs matters that an update changes, only those count that were seen in two panes of
// time, or by two clients.

// sighting is when a URL was seen, and by which clients.
type sighting struct {
	pane  int64 // the first second of a pane that the URL was seen in
	panes bool  // the URL was seen in several
	seen  evidence.Extent
}

func sightingOf(o *evidence.Observation) sighting {
	return sighting{pane: o.Time, seen: evidence.Nothing}
}

// widen folds an observation in.
func (s *sighting) widen(o *evidence.Observation) {
	s.panes = s.panes || o.Time != s.pane
	s.seen.Join(o.Clients())
}

// clients reports whether two clients asked for the URL.
func (s *sighting) clients() bool { return s.seen.ClientMin != s.seen.ClientMax }

// again reports whether the URL was seen in two panes, or by two clients where the clients
// of the site can be told from each other.
func (s *sighting) again(clients bool) bool { return s.panes || clients && s.clients() }

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
