package waste

import (
	"encoding/binary"
	"iter"

	"dustbuster/operators/read/crawler"
)

// Parts are the duplicates that each named crawler fetched. A crawler without duplicates has no part. The zero
// Parts has none. Parts can be compared with ==. They are packed: each takes some 5 bytes.
type Parts struct{ packed string }

// Part is the duplicates that one crawler fetched.
type Part struct {
	Bit   int   // of the crawler's family
	URLs  int   // duplicates
	Bytes int64 // of these
}

// PartsOf returns the parts of the named crawlers.
func PartsOf(w *Waste) Parts {
	var b []byte
	for bit, f := range w[:Union] {
		if crawler.Named&(1<<bit) != 0 && f.Waste() > 0 {
			b = append(b, byte(bit))
			b = binary.AppendUvarint(b, uint64(f.Waste()))
			b = binary.AppendUvarint(b, uint64(f.Bytes))
		}
	}
	return Parts{string(b)}
}

// All yields the parts in the order of their bits. O(parts).
func (p Parts) All() iter.Seq[Part] {
	return func(yield func(Part) bool) {
		r := reader{rest: []byte(p.packed)}
		for len(r.rest) > 0 {
			if part := r.part(); r.err != nil || !yield(part) {
				return
			}
		}
	}
}

// parts reads the parts of a day, with their length.
func (r *reader) parts() Parts {
	n := r.number()
	if r.err != nil || n == 0 || n > len(r.rest) {
		r.err = errPacked
		return Parts{}
	}
	var p Parts
	if r.whole != "" {
		p.packed = r.whole[len(r.whole)-len(r.rest):][:n]
	} else {
		p.packed = string(r.rest[:n])
	}
	inner, last := reader{rest: r.rest[:n]}, -1
	for len(inner.rest) > 0 && inner.err == nil {
		part := inner.part()
		if part.Bit <= last || part.Bit >= Union || crawler.Named&(1<<part.Bit) == 0 || part.URLs == 0 {
			inner.err = errPacked
		}
		last = part.Bit
	}
	r.rest = r.rest[n:]
	if inner.err != nil {
		r.err = inner.err
	}
	return p
}

// part reads one part.
func (r *reader) part() (p Part) {
	p.Bit, r.rest = int(r.rest[0]), r.rest[1:]
	p.URLs = r.number()
	if bytes := r.next(); bytes >= 0 {
		p.Bytes = bytes
	} else {
		r.err = errPacked
	}
	return p
}
