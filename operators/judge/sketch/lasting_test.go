package sketch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Lasting is compared with counts of words.
func TestLasting(t *testing.T) {
	least := func(a, b int) int { return min(a, b) }
	most := func(a, b int) int { return max(a, b) }
	join := func(a, b map[string]int, choose func(a, b int) int) map[string]int {
		all := map[string]int{}
		for _, counts := range []map[string]int{a, b} {
			for w := range counts {
				all[w] = choose(a[w], b[w])
			}
		}
		return all
	}
	sum := func(counts map[string]int) (n int) {
		for _, k := range counts {
			n += k
		}
		return n
	}
	known := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var counts [4]map[string]int
		var bags [4][]uint32
		for i := range counts {
			counts[i] = map[string]int{}
			var words []string
			for range 3 + rng.IntN(20) {
				w := fmt.Sprint("w", rng.IntN(6))
				counts[i][w]++
				words = append(words, w)
			}
			bags[i] = BagOf([]byte(strings.Join(words, " ")))
		}
		lastsU, lastsV := join(counts[0], counts[1], least), join(counts[2], counts[3], least)
		want, ok := 1.0, 2*sum(lastsU) >= max(sum(counts[0]), sum(counts[1])) && 2*sum(lastsV) >= max(sum(counts[2]), sum(counts[3])) && sum(lastsU) > 0 && sum(lastsV) > 0
		var lacks [2][]uint32
		for i, side := range []struct{ lasts, other map[string]int }{{lastsU, join(counts[2], counts[3], most)}, {lastsV, join(counts[0], counts[1], most)}} {
			for w, n := range side.lasts {
				for range n - side.other[w] {
					lacks[i] = append(lacks[i], BagOf([]byte(w))[0])
				}
			}
			slices.Sort(lacks[i])
			want = min(want, 1-float64(len(lacks[i]))/float64(sum(side.lasts)))
		}
		alike, lackU, lackV, got := Lasting(Visits{bags[0], bags[1]}, Visits{bags[2], bags[3]})
		if got != ok || ok && (alike != want || !slices.Equal(lackU, lacks[0]) || !slices.Equal(lackV, lacks[1])) {
			t.Fatalf("seed %d: %v %v %v %v, want %v %v %v", seed, alike, lackU, lackV, got, want, lacks, ok)
		}
		if ok {
			known++
		}
	}
	if known < 50 {
		t.Errorf("only %d pages last", known)
	}
	if _, _, _, ok := Lasting(Visits{}, Visits{[]uint32{1}, []uint32{1}}); ok {
		t.Error("a page of unknown words lasts")
	}
}

// Values of JSON are in the bag, with the names that lead to them and in any order.
func TestMembers(t *testing.T) {
	bag := func(kind, body string) []uint32 { return PageOf(kind, []byte(body)).Bag }
	const kind = "application/json; charset=utf-8"
	plain := bag(kind, `{"a":1,"b":{"c":"x","d":[true,null,"y"]}}`)
	if len(plain) != 5 {
		t.Fatalf("%d values of 5", len(plain))
	}
	for _, c := range []struct {
		body   string
		differ int
	}{
		{`{ "b": {"d":["y",true,null],"c":"x"}, "a":1 }`, 0},
		{`{"a":2,"b":{"c":"x","d":[true,null,"y"]}}`, 1},
		{`{"a":"1","b":{"c":"x","d":[true,null,"y"]}}`, 1},
		{`{"a":1,"b":{"e":"x","d":[true,null,"y"]}}`, 1},
		{`{"a":1,"c":"x","d":[true,null,"y"]}`, 4},
	} {
		onlyA, onlyB, ok := Differing(plain, bag("application/ld+json", c.body))
		if !ok || len(onlyA) != c.differ || len(onlyB) != c.differ {
			t.Errorf("%s: %d and %d values differ, want %d", c.body, len(onlyA), len(onlyB), c.differ)
		}
	}
	deep := strings.Repeat("[", 2*maxNested) + strings.Repeat("]", 2*maxNested)
	for _, c := range [][2]string{{"text/plain", `{"a":1}`}, {kind, `{"a":1`}, {kind, `{}`}, {kind, deep}, {kind, "[" + strings.Repeat("1,", MaxBag) + "1]"}} {
		if got := bag(c[0], c[1]); len(got) > 0 {
			t.Errorf("%s %.40s has %d values", c[0], c[1], len(got))
		}
	}
}
