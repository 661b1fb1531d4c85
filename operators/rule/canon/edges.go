package canon

import "hash/maphash"

// edges is a hash table of the automaton's transitions: open addressing, at most a
// quarter full. The two factors are drawn for each table, so that nobody can write rules
// whose edges collide.
type edges struct {
	slots           []edge
	shift           uint // of a hash, to an index
	used            int
	letters, states uint64 // odd factors
}

// edge is the transition by letter from state from to state to. No edge leads to state 0,
// so a zero to marks a free slot. 16 bytes, four to a cache line.
type edge struct {
	letter   letter
	from, to uint32
}

func newEdges() edges {
	seed := maphash.MakeSeed()
	return edges{
		slots: make([]edge, 4), shift: 62,
		letters: maphash.String(seed, "letters") | 1, states: maphash.String(seed, "states") | 1,
	}
}

// find returns the slot of an edge, or the free slot for it.
func (t *edges) find(from uint32, l letter) *edge {
	mask := uint64(len(t.slots) - 1)
	for i := (uint64(l)*t.letters + uint64(from)*t.states) >> t.shift; ; i++ {
		e := &t.slots[i&mask]
		if e.to == 0 || e.letter == l && e.from == from {
			return e
		}
	}
}

func (t *edges) add(e edge) {
	if 4*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots, t.shift = make([]edge, 2*len(old)), t.shift-1
		for _, e := range old {
			if e.to != 0 {
				*t.find(e.from, e.letter) = e
			}
		}
	}
	*t.find(e.from, e.letter) = e
	t.used++
}
