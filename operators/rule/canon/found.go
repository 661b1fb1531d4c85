package canon

import (
	"math/bits"
	"slices"
)

// found is the set of candidates among the slots: bits by number, from floor on. Most sets
// of rules fit. Of a larger set, the next part is scanned when the current part is used
// up.
type found struct {
	words  [64]uint64
	some   uint64 // the words that are not 0
	floor  uint32
	beyond uint32 // the least candidate after the last bit, or none
	fresh  bool   // the URL has not changed since the last scan
	scans  int
}

const (
	window   = 64 * 64
	none     = ^uint32(0)
	maxScans = 64 // after this many scans of a URL, all rules are candidates
)

// next returns the least candidate from the given slot on.
func (f *found) next(a *automaton, url []byte, from uint32) (slot uint32, ok bool) {
	if f.scans >= maxScans {
		return from, int(from) < len(a.slots)
	}
	if !f.fresh || from < f.floor {
		f.scan(a, url, 0) // from 0 and not from from: the next round starts at 0
	}
	for {
		if slot, ok = f.least(from); ok || f.beyond == none {
			return slot, ok
		}
		from = max(from, f.beyond)
		f.scan(a, url, from)
	}
}

func (f *found) scan(a *automaton, url []byte, floor uint32) {
	for ; f.some != 0; f.some &= f.some - 1 {
		f.words[bits.TrailingZeros64(f.some)] = 0
	}
	f.floor, f.beyond, f.fresh = floor, none, true
	f.scans++
	a.scan(url, f)
}

// add adds the slots of one trigger in ascending order, and reports whether they were
// known. Each slot has one trigger, so if one slot of a trigger is known, all are.
func (f *found) add(slots []uint32) (known bool) {
	if f.floor > 0 {
		at, _ := slices.BinarySearch(slots, f.floor)
		slots = slots[at:]
	}
	for _, slot := range slots {
		i := slot - f.floor
		if i >= window {
			f.beyond = min(f.beyond, slot)
			return false
		}
		w, bit := i/64, uint64(1)<<(i%64)
		if f.words[w]&bit != 0 {
			return true
		}
		f.words[w] |= bit
		f.some |= 1 << w
	}
	return false
}

// least returns the least candidate of the window from the given slot on.
func (f *found) least(from uint32) (slot uint32, ok bool) {
	i := from - f.floor
	if i >= window {
		return 0, false
	}
	if here := f.words[i/64] >> (i % 64); here != 0 {
		return from + uint32(bits.TrailingZeros64(here)), true
	}
	later := f.some >> (i / 64) >> 1 << (i / 64) << 1
	if later == 0 {
		return 0, false
	}
	w := uint32(bits.TrailingZeros64(later))
	return f.floor + 64*w + uint32(bits.TrailingZeros64(f.words[w])), true
}
