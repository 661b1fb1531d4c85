package urllist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
)

// The list is compared with a map while many URLs come and go.
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

// evidenceOf returns evidence of zero to three spans.
func evidenceOf(text string) (e evidence.Spans) {
	for class := range len(text) % 4 {
		e = append(e, evidence.Span{Min: int64(len(text)), Max: int64(len(text) + class), Class: uint8(class)})
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

// The bytes of released URLs are freed.
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

// Append gives the numbers from 0 on, also after Clear, and the texts and the evidence stay.
func TestAppend(t *testing.T) {
	l := New()
	for round := range 5 {
		l.Clear()
		for i := range 400 * (round % 3) {
			id := l.Append(fmt.Sprintf("/%0*d", 1+i%700, i))
			l.SetEvidence(id, evidence.Spans{{Min: int64(i), Max: int64(i)}, {Min: int64(round), Max: 9, Class: 1}}[:1+i%2])
			if id != uint32(i) {
				t.Fatalf("URL %d has the number %d", i, id)
			}
		}
		for i := range uint32(l.Len()) {
			if want := fmt.Sprintf("/%0*d", 1+i%700, i); string(l.Text(i)) != want || l.Evidence(i)[0].Min != int64(i) {
				t.Fatalf("round %d: %s with %v, want %s", round, l.Text(i), l.Evidence(i), want)
			}
		}
		if want := 400 * (round % 3); l.Len() != want {
			t.Fatalf("%d URLs, want %d", l.Len(), want)
		}
	}
}

// Sort is compared with the order of strings, for texts of few different bytes with long common beginnings,
// and for texts that begin with each other.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for round := range 60 {
		l := New()
		var texts []string
		add := func(text []byte) {
			if _, added := l.Intern(text); added {
				texts = append(texts, string(text))
			}
		}
		start := slices.Repeat([]byte("/a"), rng.IntN(60*(1+round%7*2)))
		for range rng.IntN(400) {
			text := slices.Clone(start[:len(start)-rng.IntN(len(start)/2+1)])
			for range rng.IntN(1 + round) {
				text = append(text, "\x00\x01a\xff"[rng.IntN(4)])
			}
			if add(text); round%3 == 0 {
				for k := range text {
					add(text[:k])
				}
			}
		}
		ids := slices.Collect(l.All())
		rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		l.Sort(ids)
		slices.Sort(texts)
		for i, id := range ids {
			if string(l.Text(id)) != texts[i] {
				t.Fatalf("round %d: %q at %d, want %q", round, l.Text(id), i, texts[i])
			}
		}
	}
}

// A slice keeps its elements when it grows to several pieces, and grows by the part that is meant.
func TestRoom(t *testing.T) {
	var s []int
	for n := range 2*doublingLength + 2 {
		before := cap(s)
		s = append(Room(s), n)
		if grown := cap(s) - before; grown > 0 && (grown > max(before, 1) || before > doublingLength && grown > before/2) {
			t.Fatalf("of %d elements, room for %d grows to %d", n, before, cap(s))
		}
	}
	for n := range s {
		if s[n] != n {
			t.Fatalf("element %d is %d", n, s[n])
		}
	}
}
