package envelope

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"
)

// table is a hash table from 64-bit hashes to small values: open addressing with linear
// probing, and a load between 0.55 and 0.85. Go's own map would need a second lookup to write back a value. No value
// is zero: who puts a key changes its value at once, and who makes a value zero drops or removes its key.
//
// A large table has manyParts parts, chosen by the last bits of a key, which grow by themselves. Their
// lengths are spread over a step of growth, so that they grow one after the other: no key pays for more
// than a part, and only one part at a time exists twice. The number of parts stays, since in parts of a fixed size
// (extendible hashing) most lookups would first wait for the list of the parts: a million URLs would take 7 % more time
// with parts of 4,096 slots.
type table[V comparable] struct {
	parts []part[V] // none, one or manyParts
	count int
	slots int // of all parts
}

// part is a part of a table. The home of a key is its place among all hashes (key · length / 2^64). The slots
// are therefore nearly sorted by key, and growing by any factor is one pass from left to right over
// both arrays.
type part[V comparable] struct {
	slots []slot[V]
	room  int // keys that may be added before the part grows
	dead  int // keys that [table.drop] removed
}

type slot[V comparable] struct {
	key   uint64 // 0: free
	value V
}

const (
	firstSlots = 8
	loadLimit  = 0.85
	growth     = 1.5

	manyParts = 1 << 8
	manyKeys  = 1 << 12 // keys with which a table is parted
)

func (t *table[V]) len() int { return t.count }

// bytes returns the memory of the slots and three quarters more, since a small table exists twice while it grows, and
// the parts of a large one are collected some time after they have grown.
func (t *table[V]) bytes() int { return t.slots * 7 / 4 * int(unsafe.Sizeof(slot[V]{})) }

// all yields the keys and values, in no order.
func (t *table[V]) all(yield func(uint64, *V) bool) {
	var none V
	for _, p := range t.parts {
		for i := range p.slots {
			if s := &p.slots[i]; s.value != none && !yield(s.key, &s.value) {
				return
			}
		}
	}
}

// part returns the part of a key. The table must have parts.
func (t *table[V]) part(key uint64) *part[V] { return &t.parts[key&uint64(len(t.parts)-1)] }

// home returns the slot at which the search for a key begins.
func (p *part[V]) home(key uint64) int {
	hi, _ := bits.Mul64(key, uint64(len(p.slots)))
	return int(hi)
}

// find returns the value of a key, or nil or a zero value if it is absent. The value is valid until the
// next put or remove.
func (t *table[V]) find(key uint64) *V {
	if t.count == 0 {
		return nil
	}
	key = nonzero(key)
	p := t.part(key)
	for at := p.home(key); ; {
		s := &p.slots[at]
		if s.key == key {
			return &s.value
		}
		if s.key == 0 {
			return nil
		}
		if at++; at == len(p.slots) {
			at = 0
		}
	}
}

// put returns the value of a key, and adds a zero value if it is absent. The value is valid until
// the next put or remove.
func (t *table[V]) put(key uint64) *V {
	if len(t.parts) == 0 {
		t.parts = make([]part[V], 1)
	}
	key = nonzero(key)
	p := t.part(key)
	for ; p.room == 0; p = t.part(key) { // a table that has just been parted may have no room there
		t.grow(p)
	}
	s := &p.slots[p.place(key)]
	var none V
	switch {
	case s.key == 0:
		s.key = key
		p.room--
		t.count++
	case s.value == none: // the key was dropped
		p.dead--
		t.count++
	}
	return &s.value
}

// touch reads the slot at which the search for a key begins, so that a later search need
// not wait for the memory. The result has no meaning.
func (t *table[V]) touch(key uint64) byte {
	if t.count == 0 {
		return 0
	}
	p := t.part(key)
	return byte(p.slots[p.home(key)].key)
}

// place returns the slot of a key, or the free slot where it belongs.
func (p *part[V]) place(key uint64) int {
	at := p.home(key)
	for p.slots[at].key != key && p.slots[at].key != 0 {
		if at++; at == len(p.slots) {
			at = 0
		}
	}
	return at
}

func (t *table[V]) grow(p *part[V]) {
	if len(t.parts) == 1 && t.count >= manyKeys {
		t.split()
		return
	}
	live := float64(roomOf(len(p.slots))-p.dead) / loadLimit
	t.resize(p, max(firstSlots, len(p.slots), int(growth*live)))
}

// held returns the value of a key in the table, as find does, and the part in which it is.
func (t *table[V]) held(key uint64) (*part[V], *V) {
	key = nonzero(key)
	p := t.part(key)
	return p, &p.slots[p.place(key)].value
}

// drop removes a key of a part, whose value is zero. The slot stays in use until the part grows, which costs less than
// remove. A put of the key finds the slot again.
func (t *table[V]) drop(p *part[V]) {
	p.dead++
	t.count--
}

func (t *table[V]) split() {
	old := *t
	*t = table[V]{parts: make([]part[V], manyParts)}
	least := float64(old.count) / manyParts / loadLimit
	for k := range t.parts {
		t.resize(&t.parts[k], int(least*math.Pow(growth, float64(k+1)/manyParts)))
	}
	for key, value := range old.all {
		*t.put(key) = *value
	}
}

// reserve makes at least so many slots. The table must have no keys.
func (t *table[V]) reserve(slots int) {
	if slots > t.slots {
		*t = table[V]{parts: make([]part[V], 1)}
		t.resize(&t.parts[0], slots)
	}
}

// resize makes at least so many slots: as many as the allocator gives in any case.
func (t *table[V]) resize(p *part[V], slots int) {
	old := p.slots
	p.slots = slices.Grow([]slot[V](nil), slots)
	p.slots = p.slots[:cap(p.slots)]
	p.room, p.dead = roomOf(len(p.slots)), 0
	t.slots += len(p.slots) - len(old)
	var none V
	for i := range old {
		if old[i].value != none {
			p.slots[p.place(old[i].key)] = old[i]
			p.room--
		}
	}
}

func roomOf(slots int) int { return int(loadLimit * float64(slots)) }

// empty removes all keys, and keeps the slots if another so many keys need about as many.
func (t *table[V]) empty(keys int) {
	if t.count == 0 {
		return
	}
	if t.slots > 16*keys {
		*t = table[V]{}
		return
	}
	for k := range t.parts {
		p := &t.parts[k]
		clear(p.slots)
		p.room, p.dead = roomOf(len(p.slots)), 0
	}
	t.count = 0
}

func (t *table[V]) remove(key uint64) {
	if t.find(key) != nil {
		key = nonzero(key)
		p := t.part(key)
		t.removeAt(p, p.place(key))
	}
}

// removeAt removes the key of a slot and moves back keys that can come closer to their
// home.
func (t *table[V]) removeAt(p *part[V], hole int) {
	n := len(p.slots)
	for at := p.after(hole); p.slots[at].key != 0; at = p.after(at) {
		home := p.home(p.slots[at].key)
		if distance(home, at, n) >= distance(hole, at, n) {
			p.slots[hole] = p.slots[at]
			hole = at
		}
	}
	p.slots[hole] = slot[V]{}
	p.room++
	t.count--
}

func (p *part[V]) after(at int) int {
	if at++; at == len(p.slots) {
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
