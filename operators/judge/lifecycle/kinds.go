package lifecycle

import (
	"dustbuster/operators/window/public"
)

// kinds returns the kinds of the window's URLs with their clients, or nil if URLs of any kind may
// be fetched. O(bytes).
func (w *Window) kinds(which Kinds) *public.Kinds {
	all := w.all()
	if which == AnyKind || all == 0 || which == KnownKinds && !several(all) {
		return nil
	}
	return w.allKinds()
}

// allKinds returns the kinds of the window's URLs. O(bytes).
func (w *Window) allKinds() *public.Kinds {
	k := new(public.Kinds)
	for i := range w.pages {
		mask := uint16(0)
		if w.masks != nil {
			mask = w.masks[i]
		}
		k.Add(w.pages[i].URL, mask)
	}
	return k
}

// mayName reports whether strangers may name a URL for a trial: the log has the URL, or the public
// asks for URLs of its kind. Where kinds do not count, it is enough that the log has URLs of the kind.
func (g *guard) mayName(url string) bool {
	if _, known := g.window.find(url); known || g.has != nil {
		return true
	}
	if g.kinds != nil {
		return g.kinds.Asked(url)
	}
	if g.all == nil {
		g.all = g.window.allKinds()
	}
	return g.all.Known(url)
}

// all returns the mask of all clients of the window.
func (w *Window) all() (mask uint16) {
	for _, m := range w.masks {
		mask |= m
	}
	return mask
}

// single reports whether all lines that name a client may be of one client.
func (w *Window) single() bool {
	all := w.all()
	return all != 0 && !several(all)
}
