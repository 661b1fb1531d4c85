package envelope

import "math/bits"

// lists holds many short lists of URL numbers. A list of one is its own handle. A longer one
// is stored in an array whose length is the next power of two, and the handle is its place.
// Arrays hold no pointers and are cut from one slice for each length, so the garbage
// collector has no work.
//
// The owner of a list keeps its handle and length.
type lists struct {
	classes [32]class // by the logarithm of the capacity of a list
	scratch []uint32
}

type class struct {
	data []uint32
	free []uint32 // handles
}

func classOf(n int) int { return bits.Len(uint(n - 1)) }

func (l *lists) appendTo(dst []uint32, handle uint32, n int) []uint32 {
	if n <= 1 {
		return append(dst, handle)[:len(dst)+n]
	}
	return append(dst, l.at(handle, n)...)
}

// at returns the array of a list of n > 1. The array is valid until the next add.
func (l *lists) at(handle uint32, n int) []uint32 {
	c := classOf(n)
	return l.classes[c].data[int(handle)<<c:][:n]
}

func (l *lists) add(handle *uint32, n int, id uint32) {
	switch {
	case n == 0:
		*handle = id
		return
	case classOf(n) != classOf(n+1):
		l.move(handle, n, n+1)
	}
	l.at(*handle, n+1)[n] = id
}

// remove removes id from a list of n. The list must hold id.
func (l *lists) remove(handle *uint32, n int, id uint32) {
	if n == 1 {
		return
	}
	all := l.at(*handle, n)
	for i := range all {
		if all[i] == id {
			all[i] = all[n-1]
			break
		}
	}
	if classOf(n) != classOf(n-1) {
		l.move(handle, n, n-1)
	}
}

// move moves a list from the class of length n to that of length to, with as many members
// as both hold.
func (l *lists) move(handle *uint32, n, to int) {
	l.scratch = l.appendTo(l.scratch[:0], *handle, n)[:min(n, to)]
	l.drop(*handle, n)
	if to == 1 {
		*handle = l.scratch[0]
		return
	}
	*handle = l.alloc(classOf(to))
	copy(l.at(*handle, to), l.scratch)
}

func (l *lists) alloc(c int) uint32 {
	k := &l.classes[c]
	if n := len(k.free); n > 0 {
		handle := k.free[n-1]
		k.free = k.free[:n-1]
		return handle
	}
	k.data = append(k.data, make([]uint32, 1<<c)...)
	return uint32(len(k.data)>>c - 1)
}

func (l *lists) drop(handle uint32, n int) {
	if n > 1 {
		k := &l.classes[classOf(n)]
		k.free = append(k.free, handle)
	}
}

func (l *lists) set(ids []uint32) (handle uint32) {
	if len(ids) <= 1 {
		return append(ids, 0)[0]
	}
	handle = l.alloc(classOf(len(ids)))
	copy(l.at(handle, len(ids)), ids)
	return handle
}
