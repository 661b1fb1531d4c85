package envelope

import "math/bits"

// table is a hash table from 64-bit hashes to small values: open addressing with linear
// probing. The home of a key is its place among all hashes (key · length / 2^64). The slots
// are therefore nearly sorted by key, growing by any factor is one pass from left to right
// over both tables, and the load stays between 0.55 and 0.85. Go's own map would need a second
// lookup to write back a value. In parts that grow by themselves (extendible hashing), no URL would pay for a
// whole table, but a million URLs would take 7 % more time with parts of 4,096 slots, and with parts of 512,
// which spread the growth over many URLs, 20 %.
type table[V any] struct {
	slots []slot[V]
	count int
	limit int // bound of count at which the table grows
}

type slot[V any] struct {
	key   uint64 // 0: free
	value V
}

const (
	firstSlots = 8
	loadLimit  = 0.85
	growth     = 1.5
)

func (t *table[V]) len() int { return t.count }

// home returns the slot at which the search for a key begins.
func (t *table[V]) home(key uint64) int {
	hi, _ := bits.Mul64(key, uint64(len(t.slots)))
	return int(hi)
}

// find returns the value of a key, or nil if it is absent. The value is valid until the
// next put or remove.
func (t *table[V]) find(key uint64) *V {
	if t.count == 0 {
		return nil
	}
	key = nonzero(key)
	for at := t.home(key); ; {
		s := &t.slots[at]
		if s.key == key {
			return &s.value
		}
		if s.key == 0 {
			return nil
		}
		if at++; at == len(t.slots) {
			at = 0
		}
	}
}

// put returns the value of a key, and adds a zero value if it is absent.
func (t *table[V]) put(key uint64) *V { return &t.slots[t.slotOf(key)].value }

// slotOf returns the slot of a key, and adds a zero value if it is absent. The slot is valid
// until the next put or remove.
func (t *table[V]) slotOf(key uint64) int {
	if t.count >= t.limit {
		t.grow()
	}
	key = nonzero(key)
	at := t.place(key)
	if s := &t.slots[at]; s.key == 0 {
		s.key = key
		t.count++
	}
	return at
}

// touch reads the slot at which the search for a key begins, so that a later search need
// not wait for the memory. The result has no meaning.
func (t *table[V]) touch(key uint64) byte {
	if t.count == 0 {
		return 0
	}
	return byte(t.slots[t.home(key)].key)
}

// place returns the slot of a key, or the free slot where it belongs.
func (t *table[V]) place(key uint64) int {
	at := t.home(key)
	for t.slots[at].key != key && t.slots[at].key != 0 {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

func (t *table[V]) grow() { t.resize(max(firstSlots, int(growth*float64(len(t.slots))))) }

// reserve makes at least so many slots.
func (t *table[V]) reserve(slots int) {
	if slots > len(t.slots) {
		t.resize(slots)
	}
}

func (t *table[V]) resize(slots int) {
	old := t.slots
	t.slots = make([]slot[V], slots)
	t.limit = int(loadLimit * float64(len(t.slots)))
	for i := range old {
		if old[i].key != 0 {
			t.slots[t.place(old[i].key)] = old[i]
		}
	}
}

// empty removes all keys, and keeps the slots if another so many keys need about as many.
func (t *table[V]) empty(keys int) {
	if t.count == 0 {
		return
	}
	if len(t.slots) > 16*keys {
		*t = table[V]{}
		return
	}
	clear(t.slots)
	t.count = 0
}

func (t *table[V]) remove(key uint64) {
	if t.find(key) != nil {
		t.removeAt(t.place(nonzero(key)))
	}
}

// removeAt removes the key of a slot and moves back keys that can come closer to their
// home.
func (t *table[V]) removeAt(hole int) {
	n := len(t.slots)
	for at := t.after(hole); t.slots[at].key != 0; at = t.after(at) {
		home := t.home(t.slots[at].key)
		if distance(home, at, n) >= distance(hole, at, n) {
			t.slots[hole] = t.slots[at]
			hole = at
		}
	}
	t.slots[hole] = slot[V]{}
	t.count--
}

func (t *table[V]) after(at int) int {
	if at++; at == len(t.slots) {
		return 0
	}
	return at
}

// distance returns the number of steps to the right from one slot of n to another.
func distance(from, to, n int) int {
	if d := to - from; d >= 0 {
		return d
	}
	return to - from + n
}

func nonzero(key uint64) uint64 {
	if key == 0 {
		return 1
	}
	return key
}
