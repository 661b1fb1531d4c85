package notes

import (
	"math/bits"
	"slices"

	"dustbuster/operators/window/public"
)

const (
	leastBits = 8 // of the mask of clients of all URLs
	oftener   = 4 // times as many names as the median client
)

// scanners notes that some clients try names that nobody else uses, and marks the pages that
// they alone requested.
func (s *Site) scanners(w *Window) {
	suspects := s.suspects(w)
	if suspects == 0 {
		return
	}
	n := Note{Kind: Scanner, Clients: bits.OnesCount16(suspects)}
	scanned := make([]bool, len(w.Pages))
	for i, mask := range w.Clients {
		if mask == 0 {
			continue
		}
		n.Of++
		if scanned[i] = mask&^suspects == 0; scanned[i] {
			n.URLs++
		}
	}
	if n.Of >= least {
		s.scanned = scanned
		s.note(w, n, s.Scanned)
	}
}

// suspects returns the bits of the clients that seem to be scanners.
func (s *Site) suspects(w *Window) (mask uint16) {
	var all uint16
	for _, m := range w.Clients {
		all |= m
	}
	if bits.OnesCount16(all) < leastBits {
		return 0
	}
	clients := map[string]uint16{} // by name
	for i := range w.Pages {
		for name := range public.Names(w.Pages[i].URL) {
			clients[name] |= w.Clients[i]
		}
		if s.CatchAll(i) {
			name := "/" + lastSegment(w.Pages[i].URL)
			clients[name] |= w.Clients[i]
		}
	}
	var alone [16]int // names by the bit of their only client
	for _, m := range clients {
		if bits.OnesCount16(m) == 1 {
			alone[bits.TrailingZeros16(m)]++
		}
	}
	usual := oftener * median(alone, all)
	for b, n := range alone {
		if n >= names && n >= usual {
			mask |= 1 << b
		}
	}
	return mask
}

// median returns the median of the numbers of some bits, the lower of two.
func median(of [16]int, mask uint16) int {
	var some []int
	for b, n := range of {
		if mask>>b&1 == 1 {
			some = append(some, n)
		}
	}
	slices.Sort(some)
	return some[(len(some)-1)/2]
}
