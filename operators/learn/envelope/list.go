package envelope

import "math/bits"

// lists holds many short lists of URL numbers. A list of one is its own handle. A longer one
// is stored in an array whose length is the next power of two, and the handle is its place.
// Arrays hold no pointers and are cut from few slices for each length, so the garbage
// collector has little work, and no list pays for a copy of all others.
//
// The owner of a list keeps its handle and length.
type lists struct {
	classes [32]class // by the logarithm of the capacity of a list
	scratch []uint32
}

type class struct {
	blocks [][]uint32 // of blockLists arrays each; the first begins short
	used   uint32     // handles that were given
	free   []uint32   // handles
}

const (
	blockBits  = 10
	blockLists = 1 << blockBits // arrays of a block
	firstLists = 1 << 2         // of a first block, which doubles: most sites are small
)

func classOf(n int) int { return bits.Len(uint(n - 1)) }

func (l *lists) appendTo(dst []uint32, handle uint32, n int) []uint32 {
	if n <= 1 {
		return append(dst, handle)[:len(dst)+n]
	}
	return append(dst, l.at(handle, n)...)
}

// at returns the array of a list of n > 1. The array is valid until the next add, move or set.
func (l *lists) at(handle uint32, n int) []uint32 {
	c := classOf(n)
	return l.classes[c].blocks[handle>>blockBits][handle%blockLists<<c:][:n]
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
	handle := k.used
	k.used++
	switch last := len(k.blocks) - 1; {
	case last < 0:
		k.blocks = append(k.blocks, make([]uint32, firstLists<<c))
	case int(handle) == (last+1)*blockLists:
		k.blocks = append(k.blocks, make([]uint32, blockLists<<c))
	case last == 0 && int(handle) == len(k.blocks[0])>>c:
		k.blocks[0] = append(k.blocks[0], make([]uint32, len(k.blocks[0]))...)
	}
	return handle
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

// forget drops all lists, and keeps their memory.
func (l *lists) forget() {
	for c := range l.classes {
		l.classes[c].used, l.classes[c].free = 0, l.classes[c].free[:0]
	}
}

// bytes returns the memory of all lists. O(1).
func (l *lists) bytes() (n int) {
	for c := range l.classes {
		k := &l.classes[c]
		n += 4 * cap(k.free)
		if last := len(k.blocks) - 1; last >= 0 {
			n += 4 * (len(k.blocks[0]) + last*blockLists<<c)
		}
	}
	return n
}
