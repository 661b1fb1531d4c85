package records

import "errors"

// health counts how many of a file's last lines could be read.
type health struct {
	seen, missed int   // numbers of last lines
	was          bool  // some line of the file was read once
	bad          error // nil, or the last reason why most of the last lines cannot be read
}

// LastLines bounds the number of last lines. Older lines lose half of their weight at
// each step, so at least half of lastLines count. Fewer lines than enough prove
// nothing.
const (
	lastLines = 128
	enough    = 8
)

// add counts lines, and reports whether the file became readable or unreadable. A file
// is readable again only once fewer than a quarter of the lines are missed, so that the
// state does not flap.
func (h *health) add(read, missed int, why error) (changed bool) {
	h.was = h.was || read > 0
	h.seen, h.missed = h.seen+read+missed, h.missed+missed
	for h.seen > lastLines {
		h.seen, h.missed = h.seen/2, h.missed/2
	}
	switch {
	case h.bad == nil && h.seen >= enough && 2*h.missed > h.seen:
		h.bad = errors.New(why.Error()) // copied, because the parser's error is valid only until the next line
		return true
	case h.bad != nil && 4*h.missed < h.seen:
		h.bad = nil
		return true
	}
	return false
}
