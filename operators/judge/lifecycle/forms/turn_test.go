package forms

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/window/evidence"
)

// Rules between several trees draw the same pages first, whichever texts the rules edit.
func TestCoordinatedSamples(t *testing.T) {
	var pages []evidence.Page
	trees := []string{"/doc/one-doc/html/", "/doc/one-dev/html/", "/one/"}
	for i := range 300 {
		for _, tree := range trees {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("%sn%d.html", tree, i)})
		}
	}
	w, keys := NewWindow(pages), &book.Hasher{}
	first := func(from, to string) (names []string) {
		strata := make([][]Pair, 1)
		for i := range 300 {
			name := fmt.Sprintf("n%d.html", i)
			p := Pair{U: name, Turn: TurnOf(keys, w.Held, from+name, to+name)}
			strata[0] = append(strata[0], p)
		}
		Arrange(strata)
		slices.SortFunc(strata[0], Pair.Compare)
		for _, p := range strata[0][:59] {
			names = append(names, p.U)
		}
		return names
	}
	one := first(trees[0], trees[1])
	if two, three := first(trees[1], trees[2]), first(trees[0], trees[2]); !slices.Equal(one, two) || !slices.Equal(one, three) {
		t.Errorf("three rules draw %v, %v and %v", one, two, three)
	}
	if slices.IsSorted(one) {
		t.Error("the order is not random")
	}
}

// Pairs that share all tokens but those of one URL are drawn in many small bunches.
func TestBunchesAreSmall(t *testing.T) {
	var pages []evidence.Page
	for i := range 512 {
		pages = append(pages, evidence.Page{URL: fmt.Sprintf("/list/%d", i)}, evidence.Page{URL: fmt.Sprintf("/list/%d?sid=x%d", i, i)})
	}
	w, keys, strata := NewWindow(pages), &book.Hasher{}, make([][]Pair, 1)
	for i := range 512 {
		u := fmt.Sprintf("/list/page?id=y%d", i) // no token of a page's own
		strata[0] = append(strata[0], Pair{Turn: TurnOf(keys, w.Held, u+"&a=1", u+"&a=2")})
	}
	Arrange(strata)
	sizes := map[uint64]int{}
	for _, p := range strata[0] {
		sizes[p.bunch]++
	}
	for _, n := range sizes {
		if n > 4*bunch {
			t.Errorf("a bunch of %d pairs", n)
		}
	}
	if len(sizes) < 512/(2*bunch) {
		t.Errorf("%d bunches of 512 pairs", len(sizes))
	}
}

func TestRarest(t *testing.T) {
	held := map[string]int32{"/": 9, "a": 3, "b": 2, "once": 1, "c": 5, "d": 4, "e": 6}
	if got, want := fmt.Sprint(rarest(held, "/a/once/e", "/b/d/c/a")), "[{b 2} {a 3} {d 4} {c 5}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Four pairs of one v are drawn before pairs of another v. Otherwise the order is
// unchanged.
func TestInRounds(t *testing.T) {
	var pairs []Pair
	for i := range 10 {
		pairs = append(pairs, Pair{U: fmt.Sprint(i), V: "many", Key: book.Key{uint64(i)}})
	}
	for i := range 3 {
		pairs = append(pairs, Pair{U: fmt.Sprint(10 + i), V: fmt.Sprint("one ", i), Key: book.Key{uint64(10 + i)}})
	}
	inRounds(pairs)
	got := ""
	for _, p := range pairs {
		got += p.U + " "
	}
	if want := "0 1 2 3 10 11 12 4 5 6 7 8 9 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
