package urllist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The list beside a map, through many URLs coming and going.
func TestList(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l, model := New(), map[string]uint32{}
		for range 3000 {
			text := fmt.Sprintf("/%0*d", 1+rng.IntN(300), rng.IntN(400))
			want, known := model[text]
			if rng.IntN(3) == 0 {
				if known {
					l.Release(want)
					delete(model, text)
				}
				continue
			}
			id, added := l.Intern([]byte(text))
			if added == known || known && id != want {
				t.Fatalf("seed %d: %q is %d (added %v), want %d (known %v)", seed, text, id, added, want, known)
			}
			l.SetEvidence(id, evidenceOf(text))
			model[text] = id
		}
		checkList(t, l, model)
	}
}

// evidenceOf is some evidence of none to three spans.
func evidenceOf(text string) (e Evidence) {
	for class := range len(text) % 4 {
		e = append(e, Span{int64(len(text)), int64(len(text) + class), uint8(class)})
	}
	return e
}

func checkList(t *testing.T, l *List, model map[string]uint32) {
	t.Helper()
	if l.Len() != len(model) {
		t.Fatalf("%d URLs, want %d", l.Len(), len(model))
	}
	n := 0
	for id := range l.All() {
		n++
		text := string(l.Text(id))
		if want, ok := model[text]; !ok || want != id || int(id) >= l.Cap() {
			t.Fatalf("%q is %d, want %d (%v)", text, id, want, ok)
		}
		if got, ok := l.Lookup([]byte(text)); !ok || got != id {
			t.Fatalf("lookup of %q: %d (%v), want %d", text, got, ok, id)
		}
		if !l.Evidence(id).Equal(evidenceOf(text)) {
			t.Fatalf("evidence of %q: %v, want %v", text, l.Evidence(id), evidenceOf(text))
		}
	}
	if n != len(model) {
		t.Fatalf("%d URLs listed, want %d", n, len(model))
	}
	if _, ok := l.Lookup([]byte("never")); ok {
		t.Fatal("a URL is found that never came")
	}
}

// What was released gives its bytes back.
func TestReleaseMemory(t *testing.T) {
	l := New()
	text := slices.Repeat([]byte("x"), 1000)
	kept := map[string]uint32{}
	for i := range 20_000 {
		url := string(fmt.Appendf(text, "%d", i))
		id, _ := l.Intern([]byte(url))
		l.SetEvidence(id, evidenceOf(url))
		if i%5000 > 3 {
			l.Release(id)
		} else {
			kept[url] = id
		}
	}
	checkList(t, l, kept)
	held := 0
	for _, c := range l.chunks {
		held += cap(c)
	}
	if held > 4*chunkSize {
		t.Errorf("%d bytes held for %d URLs", held, len(kept))
	}
}

// Likely similar, case by case (DustBuster, section 5.1; size_tolerance).
func TestSimilar(t *testing.T) {
	size := func(low, high int64) Evidence { return Evidence{{low, high, 0}} }
	gzip := func(low, high int64) Evidence { return Evidence{{low, high, 2}} }
	digest := func(a, b int64) Evidence { return Evidence{{a, b, Digest}} }
	join := func(es ...Evidence) Evidence { return slices.Concat(es...) }
	paper, tolerant, off := Similarity{}, Similarity{Tolerance: 0.01}, Similarity{Off: true}
	for _, c := range []struct {
		name string
		s    Similarity
		e, f Evidence
		want bool
	}{
		{"overlap", paper, size(1, 5), size(5, 9), true},
		{"inside", paper, size(1, 9), size(3, 4), true},
		{"apart", paper, size(1, 5), size(6, 9), false},
		{"1 % apart", tolerant, size(9900, 9900), size(10000, 10000), true},
		{"more than 1 % apart", tolerant, size(9899, 9899), size(10000, 10000), false},
		{"no size", tolerant, nil, size(1, 1), false},
		{"no sizes", tolerant, nil, nil, false},
		{"no size, sizes off", off, nil, size(1, 1), true},
		{"no class in common", tolerant, size(5, 5), gzip(5, 5), false},
		{"one class in common", tolerant, join(size(5, 5), gzip(7, 7)), gzip(7, 7), true},
		{"two in common, one apart", tolerant, join(size(5, 5), gzip(7, 7)), join(size(9, 9), gzip(7, 7)), false},
		{"digests equal, sizes apart", tolerant, join(size(1, 1), digest(-3, -3)), join(size(9, 9), digest(-3, -3)), true},
		{"digests differ, sizes equal", tolerant, join(size(1, 1), digest(3, 3)), join(size(1, 1), digest(4, 4)), false},
		{"one has no digest", tolerant, join(size(1, 1), digest(3, 3)), size(1, 1), true},
		{"one has several", tolerant, join(size(1, 1), digest(3, 4)), join(size(1, 1), digest(5, 5)), true},
		{"digests alone, several", tolerant, digest(3, 4), digest(3, 4), false},
		{"digests alone", tolerant, digest(3, 3), digest(3, 3), true},
		{"digest and size", tolerant, digest(3, 3), size(3, 3), false},
	} {
		if c.s.Similar(c.e, c.f) != c.want || c.s.Similar(c.f, c.e) != c.want {
			t.Errorf("%s: %v and %v are not %v", c.name, c.e, c.f, c.want)
		}
	}
}
