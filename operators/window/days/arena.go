package days

import (
	"encoding/binary"
	"slices"
)

// arena holds records in blocks of whole units. The place of a block is the number of its first
// unit, plus one. A block begins with its number of units, and ends with zeros after the record.
// Records grow, and leave blocks behind that are too small for others. Compacting takes them out.
type arena struct {
	chunks  [][]byte
	used    int            // units of the last chunk
	size    int64          // bytes of all chunks
	garbage int64          // bytes of blocks left behind
	free    [reused]uint32 // by units: the block left behind last, which begins with the place of the one before; 0: none
}

const (
	unit     = 2 // bytes
	unitBits = 11
	units    = 1 << unitBits // of a chunk, or more if one record needs more
	reused   = 32            // blocks of fewer units are used again, if they hold a place

	mostGarbage = 5 // the arena is compacted when one byte in so many is left behind
)

// at returns the record at a place, and the zeros after it. It is valid until the next put.
func (a *arena) at(place uint32) []byte {
	b, n, header := a.block(place)
	return b[header : n*unit]
}

func (a *arena) block(place uint32) (b []byte, n, header int) {
	place--
	b = a.chunks[place>>unitBits][place%units*unit:]
	long, header := binary.Uvarint(b)
	return b, int(long), header
}

// put stores a record, in place of the one at a place, if that is not 0.
func (a *arena) put(place uint32, record []byte) uint32 {
	n := unitsOf(record)
	if place != 0 {
		if _, had, _ := a.block(place); had != n {
			a.release(place)
			place = 0
		}
	}
	if place == 0 {
		place = a.take(n)
	}
	b := a.chunks[(place-1)>>unitBits][(place-1)%units*unit:][:n*unit]
	header := binary.PutUvarint(b[:cap(b)], uint64(n))
	clear(b[header+copy(b[header:], record):])
	return place
}

// copyFrom copies a block of another arena, and returns its place.
func (a *arena) copyFrom(other *arena, place uint32) uint32 {
	from, n, _ := other.block(place)
	place = a.take(n)
	copy(a.chunks[(place-1)>>unitBits][(place-1)%units*unit:], from[:n*unit])
	return place
}

// unitsOf returns the units of the block of a record.
func unitsOf(record []byte) int {
	n := (1 + len(record) + unit - 1) / unit
	for len(binary.AppendUvarint(nil, uint64(n)))+len(record) > n*unit {
		n++
	}
	return n
}

// take returns the place of a new block.
func (a *arena) take(n int) uint32 {
	if n < reused && a.free[n] != 0 {
		place := a.free[n]
		b, _, header := a.block(place)
		a.free[n] = binary.LittleEndian.Uint32(b[header:])
		a.garbage -= int64(n * unit)
		return place
	}
	if len(a.chunks) == 0 || a.used+n > units {
		a.chunks = append(a.chunks, make([]byte, max(n, units)*unit))
		a.used = 0
		a.size += int64(max(n, units) * unit)
	}
	place := uint32(len(a.chunks)-1)<<unitBits + uint32(a.used) + 1
	a.used += n
	return place
}

// release leaves a block behind.
func (a *arena) release(place uint32) {
	b, n, header := a.block(place)
	a.garbage += int64(n * unit)
	if n < reused && header+4 <= n*unit {
		binary.LittleEndian.PutUint32(b[header:], a.free[n])
		a.free[n] = place
	}
}

// isFull reports whether compacting pays.
func (a *arena) isFull() bool { return a.garbage > units*unit && a.garbage*mostGarbage > a.size }

func (a *arena) clone() arena {
	c := *a
	c.chunks = make([][]byte, len(a.chunks))
	for i, chunk := range a.chunks {
		c.chunks[i] = slices.Clone(chunk)
	}
	return c
}
