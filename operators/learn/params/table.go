package params

// table is a multimap from 32-bit tags to numbers greater than zero: open addressing with
// linear probing, 8 bytes a place. The tag is both the home and the only compared value.
// The caller checks the identity behind a tag.
type table struct {
	slots []slot // length is a power of two
	used  int
}

type slot struct {
	tag uint32
	id  uint32 // 0: free
}

func newTable() table { return table{slots: make([]slot, 16)} }

// seek returns the next number under a tag from a place on, and where it stands; 0 if
// there is none. The search for a tag starts at place tag.
func (t *table) seek(tag, from uint32) (at, id uint32) {
	mask := uint32(len(t.slots) - 1)
	for at = from & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.id == 0 || s.tag == tag {
			return at, s.id
		}
	}
}

// touch reads the place where the search for a tag starts, so that a later search need not wait for the memory. The
// result has no meaning.
func (t *table) touch(tag uint32) byte { return byte(t.slots[tag&uint32(len(t.slots)-1)].id) }

func (t *table) insert(tag, id uint32) {
	if t.used++; t.used*4 > len(t.slots)*3 {
		t.resize(2 * len(t.slots))
	}
	t.put(slot{tag, id})
}

func (t *table) put(s slot) {
	mask := uint32(len(t.slots) - 1)
	at := s.tag & mask
	for t.slots[at].id != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = s
}

func (t *table) resize(places int) {
	old := t.slots
	t.slots = make([]slot, places)
	for _, s := range old {
		if s.id != 0 {
			t.put(s)
		}
	}
}

func (t *table) replace(tag, id, by uint32) { t.slots[t.place(tag, id)].id = by }

// remove removes a number, and moves following entries closer to their home (Knuth,
// volume 3, 6.4, algorithm R). A table eight times too large shrinks, so memory follows
// the window.
func (t *table) remove(tag, id uint32) {
	mask := uint32(len(t.slots) - 1)
	hole := t.place(tag, id)
	for at := (hole + 1) & mask; t.slots[at].id != 0; at = (at + 1) & mask {
		if (at-t.slots[at].tag)&mask >= (at-hole)&mask {
			t.slots[hole] = t.slots[at]
			hole = at
		}
	}
	t.slots[hole] = slot{}
	if t.used--; t.used*8 < len(t.slots) && len(t.slots) > 16 {
		t.resize(len(t.slots) / 2)
	}
}

func (t *table) place(tag, id uint32) uint32 {
	at, found := t.seek(tag, tag)
	for found != id {
		at, found = t.seek(tag, at+1)
	}
	return at
}
