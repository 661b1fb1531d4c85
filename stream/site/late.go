package site

import "math/bits"

// lateness says which of the newest hits were older than the window. It begins with the first that was.
type lateness struct {
	late uint64 // a bit for each hit, the newest last; 0: none was
	hits int    // at most newestHits
}

const (
	newestHits = 64 // a word of bits
	leastHits  = 16 // of which most may be called late
)

// take takes in a hit.
func (n *lateness) take(late bool) {
	if n.late == 0 && !late {
		return
	}
	n.late <<= 1
	n.hits = min(n.hits+1, newestHits)
	if late {
		n.late |= 1
	}
	if n.late == 0 {
		n.hits = 0
	}
}

// count returns how many of the newest hits were late, if most of them were, and else 0.
func (n *lateness) count() int {
	if late := bits.OnesCount64(n.late); n.hits >= leastHits && 2*late > n.hits {
		return late
	}
	return 0
}
