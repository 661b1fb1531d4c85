package recent

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A Map holds the longest run of entries added or read last that fits into both bounds.
func TestMap(t *testing.T) {
	type entry struct{ key, size int }
	rng := rand.New(rand.NewPCG(1, 2))
	const entries, most = 8, 100
	m := New(entries, most, func(_ int, size int) int64 { return int64(size) })
	var plain []entry // used least recently first
	for range 10_000 {
		key := rng.IntN(20)
		at := slices.IndexFunc(plain, func(e entry) bool { return e.key == key })
		switch size, known := m.Peek(key); {
		case known != (at >= 0) || known && size != plain[at].size:
			t.Fatalf("%d is %d, %v; want %v", key, size, known, plain)
		case rng.IntN(3) == 0:
			if m.Get(key); known {
				plain = append(slices.Delete(plain, at, at+1), entry{key, size})
			}
		case rng.IntN(4) == 0:
			if m.Remove(key); known {
				plain = slices.Delete(plain, at, at+1)
			}
		default:
			if known {
				plain = slices.Delete(plain, at, at+1)
			}
			plain = append(plain, entry{key, rng.IntN(most + 20)})
			m.Add(key, plain[len(plain)-1].size)
			for sum(plain, func(e entry) int { return e.size }) > most && len(plain) > 1 || len(plain) > entries {
				plain = plain[1:]
			}
		}
		if want := sum(plain, func(e entry) int { return e.size }); m.Bytes != int64(want) || m.Len() != len(plain) {
			t.Fatalf("%d bytes of %d entries, want %d of %d", m.Bytes, m.Len(), want, len(plain))
		}
	}
}

func sum[E any](all []E, of func(E) int) (n int) {
	for _, e := range all {
		n += of(e)
	}
	return n
}
