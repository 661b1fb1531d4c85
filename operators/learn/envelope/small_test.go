package envelope

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
)

// Sets of all sizes around the limits of a batch, of short and of long URLs, have the pairs of an index. A batch of
// several sets has the sums.
func TestSetSizes(t *testing.T) {
	sizes := []int{2, 3, 5, 6, 7, 10, 11, 12, 13, 40, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, smallSet - 1, smallSet, smallSet + 1}
	for seed := range worlds.Rounds(4, 400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		for _, n := range sizes {
			o := Defaults()
			if rng.IntN(2) == 0 {
				o = randomOptions(rng)
			}
			pages := oracle.Random(rng, n)
			if rng.IntN(3) == 0 {
				pages = templatePages(rng, n, 8+rng.IntN(60))
			}
			w := newWorld(o)
			w.enter(pages...)
			if err := w.checkBatch(); err != nil {
				t.Fatalf("seed %d, %d pages, options %+v: %v", seed, n, o, err)
			}
		}
	}
}

// The supports of small and large sets add up.
func TestSets(t *testing.T) {
	for seed := range worlds.Rounds(20, 1000) {
		rng := rand.New(rand.NewPCG(seed, 6))
		o := randomOptions(rng)
		w := newWorld(o)
		w.enter(oracle.Random(rng, 300)...)
		ids := slices.Collect(w.URLs.All())
		rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		var sets [][]uint32
		for len(ids) > 0 {
			n := min(len(ids), 1+rng.IntN(1+rng.IntN(60)))
			sets, ids = append(sets, ids[:n]), ids[n:]
		}
		want := likelyOf(o, w, sets, 0)
		for _, limit := range []int{11, 30, smallSet} {
			if got := likelyOf(o, w, sets, limit); !slices.Equal(got, want) {
				t.Fatalf("seed %d, cells for more than %d URLs: %+v, want %+v", seed, limit, got, want)
			}
		}
	}
}

func likelyOf(o Options, w *world, sets [][]uint32, limit int) []dust.Candidate {
	b := NewBatch(o, w.URLs)
	b.limit = limit
	for _, set := range sets {
		b.Bound(set)
	}
	b.Bounded()
	for _, set := range sets {
		if b.Wanted() {
			b.Count(set)
		}
	}
	got := b.Likely()
	slices.SortFunc(got, dust.CompareSupport)
	return got
}

// Members are in the same groups exactly if they share so many tokens, whatever bytes they share.
func TestGroups(t *testing.T) {
	for seed := range worlds.Rounds(60, 4000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		w := newWorld(Defaults())
		for range 2 + rng.IntN(90) {
			text := make([]byte, rng.IntN(12))
			for k := range text {
				text[k] = "/a1_%4-b2\x00\xff"[rng.IntN(11)]
			}
			w.Set(string(text), evidence.Spans{{Min: 1, Max: 1}})
		}
		var s small
		s.read(w.URLs, slices.Collect(w.URLs.All()))
		s.group(35)
		var u subject
		for k := range s.members {
			u.take(&s.members[k])
			for l := range s.members {
				if l == k {
					continue
				}
				a, b := u.shared(s.members[l].text)
				if p := s.partner(&u, k, l); p.a != a || p.b != b {
					t.Fatalf("seed %d: %q and %q share %d and %d tokens, want %d and %d", seed, u.text, s.members[l].text, p.a, p.b, a, b)
				}
				if c := compareLast(u.text, s.members[l].text); c != bytes.Compare(reversed(u.text), reversed(s.members[l].text)) {
					t.Fatalf("%q and %q from the end: %d", u.text, s.members[l].text, c)
				}
			}
		}
	}
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}
