package envelope

import (
	"math/rand/v2"
	"testing"
)

// A table is compared with a map while it grows to several times the keys with which it is parted, shrinks,
// and is emptied. Once it is parted, it grows by a small share at a time.
func TestTable(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var x table[uint32]
		want := map[uint64]uint32{}
		var gone []uint64
		for _, keys := range []int{3, 1000, 4 * manyKeys, 20, manyKeys} {
			var have []uint64
			for key := range want {
				have = append(have, key)
			}
			for len(want) < keys {
				key, was, parted := rng.Uint64(), x.slots, len(x.parts) > 1
				switch from := rng.IntN(8); {
				case from < 2 && len(have) > 0:
					key = have[rng.IntN(len(have))]
				case from == 2 && len(gone) > 0:
					key = gone[rng.IntN(len(gone))]
				}
				*x.put(key)++
				if want[key]++; want[key] == 1 {
					have = append(have, key)
				}
				if parted && (x.slots-was)*manyParts > 2*x.slots {
					t.Fatalf("seed %d, %d keys: from %d slots to %d at once", seed, len(want), was, x.slots)
				}
			}
			for len(want) > keys {
				at := rng.IntN(len(have))
				if rng.IntN(2) == 0 {
					part, value := x.held(have[at])
					*value = 0
					x.drop(part)
				} else {
					x.remove(have[at])
				}
				delete(want, have[at])
				gone = append(gone, have[at])
				have[at] = have[len(have)-1]
				have = have[:len(have)-1]
			}
			sameAs(t, &x, want)
		}
		x.empty(int(manyKeys))
		clear(want)
		sameAs(t, &x, want)
		x.reserve(2 * x.slots)
		for range 2 * manyKeys {
			key := rng.Uint64()
			*x.put(key) = 1
			want[key] = 1
		}
		sameAs(t, &x, want)
	}
}

// When a table is parted, parts may get more keys than others, up to exactly those for which they have room.
func TestUnequalParts(t *testing.T) {
	for more := range 100 {
		rng := rand.New(rand.NewPCG(uint64(more), 2))
		var x table[uint32]
		want := map[uint64]uint32{}
		put := func(key uint64) {
			*x.put(key) = 1
			want[key] = 1
		}
		for range manyKeys/manyParts + more {
			put(rng.Uint64() &^ (manyParts - 1))
		}
		for x.len() < manyKeys || x.parts[0].room > 0 {
			if key := rng.Uint64(); key%manyParts != 0 {
				put(key)
			}
		}
		for range 100 {
			put(rng.Uint64() &^ (manyParts - 1))
		}
		sameAs(t, &x, want)
	}
}

func sameAs(t *testing.T, x *table[uint32], want map[uint64]uint32) {
	t.Helper()
	slots, n := 0, 0
	for _, p := range x.parts {
		slots += len(p.slots)
		taken, dead := 0, 0
		for _, s := range p.slots {
			if s.key != 0 {
				taken++
			}
			if s.key != 0 && s.value == 0 {
				dead++
			}
		}
		if dead != p.dead {
			t.Fatalf("%d keys are dropped, %d counted", dead, p.dead)
		}
		if p.room < 0 || taken+p.room != roomOf(len(p.slots)) {
			t.Fatalf("%d of %d slots are taken, and there is room for %d more", taken, len(p.slots), p.room)
		}
	}
	for key, value := range x.all {
		n++
		if v := x.find(key); v != value || *v != want[key] {
			t.Fatalf("key %x of %d: %d, want %d", key, len(want), *value, want[key])
		}
	}
	if n != len(want) || x.len() != n || x.slots != slots {
		t.Fatalf("%d keys, %d counted, want %d; %d slots, %d counted", n, x.len(), len(want), slots, x.slots)
	}
	for range 100 {
		if key := rand.Uint64(); want[key] == 0 && x.find(key) != nil && *x.find(key) != 0 {
			t.Fatalf("key %x is found that is absent", key)
		}
	}
}
