package sketch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Differing is compared with counts of words.
func TestDiffering(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		text := func() (words []string) {
			for range rng.IntN(20) {
				words = append(words, fmt.Sprint("w", rng.IntN(8)))
			}
			return words
		}
		a, b := text(), text()
		count := map[string]int{}
		for _, w := range a {
			count[w]++
		}
		for _, w := range b {
			count[w]--
		}
		var wantA, wantB []uint32
		for w, n := range count {
			h := BagOf([]byte(w))[0]
			for range n {
				wantA = append(wantA, h)
			}
			for range -n {
				wantB = append(wantB, h)
			}
		}
		slices.Sort(wantA)
		slices.Sort(wantB)
		page := func(words []string) *Page { return PageOf("text/html", []byte("<p>"+strings.Join(words, " "))) }
		gotA, gotB, ok := Differing(page(a).Bag, page(b).Bag)
		if ok != (len(a) > 0 && len(b) > 0) || ok && (!slices.Equal(gotA, wantA) || !slices.Equal(gotB, wantB)) {
			t.Fatalf("seed %d: %v %v %v, want %v %v", seed, gotA, gotB, ok, wantA, wantB)
		}
	}
}

// A page of more words than a bag holds has none.
func TestBagIsBounded(t *testing.T) {
	for _, n := range []int{MaxBag, MaxBag + 1} {
		p := PageOf("text/html", []byte("<p>"+strings.Repeat("a ", n)))
		if p.Words != n || (p.Bag == nil) != (n > MaxBag) || len(p.Bag) > MaxBag {
			t.Errorf("%d words: %d in the bag", n, len(p.Bag))
		}
	}
}

// The number of words in which long pages differ is estimated by their resemblance.
func TestDifferInMany(t *testing.T) {
	for _, size := range []int{1000, 3 * MaxBag / 2} {
		for _, c := range []struct {
			changed int
			want    bool
		}{{1, false}, {10, false}, {14, true}, {40, true}} {
			text := make([]string, size)
			for i := range text {
				text[i] = fmt.Sprint("word", i)
			}
			a := PageOf("text/html", []byte(strings.Join(text, " ")))
			for i := range c.changed {
				text[i*size/c.changed+5] = fmt.Sprint("new", i)
			}
			b := PageOf("text/html", []byte(strings.Join(text, " ")))
			alike := Exact(a, b)
			if got := DifferInMany(a, b, alike, 12); got != c.want {
				t.Errorf("%d of %d words, resemblance %.4f: %v", c.changed, size, alike, got)
			}
		}
	}
}
