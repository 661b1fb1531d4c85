package envelope

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Lists are compared with slices while they grow, shrink and are dropped, in more than a block for each length, and
// after all were forgotten.
func TestLists(t *testing.T) {
	type held struct {
		handle uint32
		want   []uint32
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var l lists
	for range 2 {
		all := make([]held, 3*blockLists)
		for k := range 40 * len(all) {
			h := &all[rng.IntN(len(all))]
			switch n := len(h.want); {
			case rng.IntN(100) == 0:
				h.want = []uint32{rng.Uint32(), rng.Uint32(), rng.Uint32()}
				l.drop(h.handle, n)
				h.handle = l.set(h.want)
			case n == 0 || n < 20 && rng.IntN(3) > 0:
				l.add(&h.handle, n, uint32(k))
				h.want = append(h.want, uint32(k))
			default:
				at := rng.IntN(n)
				l.remove(&h.handle, n, h.want[at])
				h.want = slices.Delete(h.want, at, at+1)
			}
		}
		blocks := 0
		for k, h := range all {
			have := l.appendTo(nil, h.handle, len(h.want))
			slices.Sort(have)
			slices.Sort(h.want)
			if !slices.Equal(have, h.want) {
				t.Fatalf("list %d: %d, want %d", k, have, h.want)
			}
		}
		for c := range l.classes {
			blocks = max(blocks, len(l.classes[c].blocks))
		}
		if blocks < 2 {
			t.Errorf("%d blocks at most", blocks)
		}
		l.forget()
	}
}
