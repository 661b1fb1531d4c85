package params

import (
	"math/rand/v2"
	"testing"
)

// TestTableFollowsItsContents compares a table with a map, with colliding tags, and
// checks that the table's memory shrinks with its contents.
func TestTableFollowsItsContents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	tab, held := newTable(), map[uint32]uint32{} // id -> tag
	for id := uint32(1); id <= 5000; id++ {
		tag := r.Uint32N(500) * 0x01010101
		tab.insert(tag, id)
		held[id] = tag
	}
	large := len(tab.slots)
	for id := uint32(1); id <= 5000; id++ {
		if id%7 != 0 || id > 100 {
			tab.remove(held[id], id)
			delete(held, id)
		}
		if id%500 == 0 {
			checkTable(t, &tab, held)
		}
	}
	if tab.used != len(held) || len(tab.slots) > large/16 {
		t.Errorf("%d places of %d for %d entries, %d held", len(tab.slots), large, tab.used, len(held))
	}
}

func checkTable(t *testing.T, tab *table, held map[uint32]uint32) {
	t.Helper()
	for id, tag := range held {
		if tab.slots[tab.place(tag, id)].id != id {
			t.Fatalf("number %d is not under its tag", id)
		}
	}
}
