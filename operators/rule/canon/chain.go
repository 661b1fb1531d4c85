package canon

import (
	"bytes"
	"math/bits"
	"slices"

	"dustbuster/operators/rule"
)

// chain is the canonization of one URL, edit by edit: the rules in list order, round
// after round. The caller passes the buffer to each call: if it were stored through a
// pointer, it would have to live on the heap. After the first round, it begins with the
// URL as it was before the round. The current URL follows if the round has edited it.
type chain struct {
	c      *Canonizer
	url    []byte // as given
	start  int    // length of the first URL in the buffer
	edited bool   // the second URL is in the buffer
	from   uint32 // the next slot to try
	found  found
	end    Outcome
	ended  bool
}

// step applies the next edit and returns the rank of its rule, or returns false if the
// canonization has ended. buf is the buffer returned by the last step.
func (h *chain) step(buf []byte) (out []byte, rank int, ok bool) {
	if len(h.url) > rule.MaxBytes {
		h.stop(TooLong)
	}
	for !h.ended {
		slot, ok := h.found.next(&h.c.automaton, h.text(buf), h.from)
		if !ok {
			buf = h.endRound(buf)
			continue
		}
		h.from = slot + 1
		rank := h.c.ranks[slot]
		if buf, ok = h.apply(&h.c.rules[rank], buf); ok {
			return buf, int(rank), true
		}
	}
	return buf, 0, false
}

func (h *chain) text(buf []byte) []byte {
	if h.edited {
		return buf[h.start:]
	}
	return h.began(buf)
}

// began returns the URL at the beginning of the round.
func (h *chain) began(buf []byte) []byte {
	if h.end.Rounds == 0 {
		return h.url
	}
	return buf[:h.start]
}

func (h *chain) apply(r *rule.Rule, buf []byte) (out []byte, changed bool) {
	out, changed = r.Apply(buf, h.text(buf))
	if !changed {
		return buf, false
	}
	out = append(out[:h.start], out[len(buf):]...) // over the previous text
	h.edited, h.found.fresh = true, false
	if len(out)-h.start > rule.MaxBytes {
		h.stop(TooLong)
	}
	return out, true
}

func (h *chain) endRound(buf []byte) []byte {
	if !h.edited || bytes.Equal(h.text(buf), h.began(buf)) {
		h.stop(Settled)
		return buf
	}
	buf = append(buf[:0], h.text(buf)...)
	h.start, h.edited, h.from = len(buf), false, 0
	if h.end.Rounds++; h.end.Rounds == MaxRounds {
		h.stop(Restless)
	}
	return buf
}

func (h *chain) stop(end End) { h.ended, h.end.End = true, end }

// result returns the canonical form: the URL as given, or in the buffer.
func (h *chain) result(buf []byte) []byte {
	if h.end.End != Settled {
		return h.url
	}
	return h.began(buf)
}

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
