package envelope

import "math/bits"

// table is a hash table from 64-bit hashes to small values: open addressing
// with linear probing, a key's home being its place among all hashes (key ·
// length / 2^64). So the slots are nearly sorted by key, growing by any factor
// is one pass from left to right over both, and the load stays between 0.55 and
// 0.85. Go's own map would need a second lookup to write back a value.
type table[V any] struct {
	slots []slot[V]
	count int
	limit int // of count: the table grows
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

// home is where the search for a key begins.
func (t *table[V]) home(key uint64) int {
	hi, _ := bits.Mul64(key, uint64(len(t.slots)))
	return int(hi)
}

// find returns the value of a key, nil if it is absent; valid until the next
// put or remove.
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

// put returns the value of a key, a zero one if it was absent.
func (t *table[V]) put(key uint64) *V {
	if t.count >= t.limit {
		t.grow()
	}
	key = nonzero(key)
	s := &t.slots[t.place(key)]
	if s.key == 0 {
		s.key = key
		t.count++
	}
	return &s.value
}

// place is the slot of a key, or the free one where it belongs.
func (t *table[V]) place(key uint64) int {
	at := t.home(key)
	for t.slots[at].key != key && t.slots[at].key != 0 {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

func (t *table[V]) grow() {
	old := t.slots
	t.slots = make([]slot[V], max(firstSlots, int(growth*float64(len(old)))))
	t.limit = int(loadLimit * float64(len(t.slots)))
	for i := range old {
		if old[i].key != 0 {
			t.slots[t.place(old[i].key)] = old[i]
		}
	}
}

// remove takes a key out and moves back what may come nearer to its home.
func (t *table[V]) remove(key uint64) {
	if t.find(key) == nil {
		return
	}
	n := len(t.slots)
	hole := t.place(nonzero(key))
	for at := (hole + 1) % n; t.slots[at].key != 0; at = (at + 1) % n {
		if (at-t.home(t.slots[at].key)+n)%n >= (at-hole+n)%n {
			t.slots[hole] = t.slots[at]
			hole = at
		}
	}
	t.slots[hole] = slot[V]{}
	t.count--
}

func nonzero(key uint64) uint64 {
	if key == 0 {
		return 1
	}
	return key
}
