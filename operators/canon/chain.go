package canon

import "bytes"

// chain is the canonization of one URL, edit by edit: the rules in list order,
// round after round. Its buffer goes from call to call, since what is stored
// through a pointer would have to live on the heap. There stands the URL as it
// was when the round began, unless that is the one given; and behind it the URL
// as it is, if the round has edited it.
type chain struct {
	c      *Canonizer
	url    []byte // as given
	start  int    // bytes of the first in the buffer
	edited bool   // the second is there
	from   uint32 // rank of the rule to try next
	found  found
	end    Outcome
	ended  bool
}

// step goes on to the next edit and returns the rank of its rule; false when the
// canonization has ended. buf is what the last step returned.
func (h *chain) step(buf []byte) (out []byte, rank int, ok bool) {
	if len(h.url) > MaxBytes {
		h.stop(TooLong)
	}
	for !h.ended {
		rank, ok := h.found.next(&h.c.automaton, h.text(buf), h.from)
		if !ok {
			buf = h.endRound(buf)
			continue
		}
		h.from = rank + 1
		if buf, ok = h.apply(&h.c.rules[rank], buf); ok {
			return buf, int(rank), true
		}
	}
	return buf, 0, false
}

// text is the URL as it is.
func (h *chain) text(buf []byte) []byte {
	if h.edited {
		return buf[h.start:]
	}
	return h.began(buf)
}

// began is the URL as it was when the round began.
func (h *chain) began(buf []byte) []byte {
	if h.end.Rounds == 0 {
		return h.url
	}
	return buf[:h.start]
}

func (h *chain) apply(r *Rule, buf []byte) (out []byte, changed bool) {
	out, changed = r.Apply(buf, h.text(buf))
	if !changed {
		return buf, false
	}
	out = append(out[:h.start], out[len(buf):]...) // over the text that was
	h.edited, h.found.fresh = true, false
	if len(out)-h.start > MaxBytes {
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

// result is the canonical form: the URL as given, or in the buffer.
func (h *chain) result(buf []byte) []byte {
	if h.end.End != Settled {
		return h.url
	}
	return h.began(buf)
}
