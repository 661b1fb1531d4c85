package canon

import (
	"bytes"

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
