package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
	w, keys := NewWindow(pages), &hasher{}
	first := func(from, to string) (names []string) {
		strata := make([][]pair, 1)
		for i := range 300 {
			name := fmt.Sprintf("n%d.html", i)
			p := pair{u: name, turn: turnOf(keys, w.held, from+name, to+name)}
			strata[0] = append(strata[0], p)
		}
		arrange(strata)
		slices.SortFunc(strata[0], pair.compare)
		for _, p := range strata[0][:59] {
			names = append(names, p.u)
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
	w, keys, strata := NewWindow(pages), &hasher{}, make([][]pair, 1)
	for i := range 512 {
		u := fmt.Sprintf("/list/page?id=y%d", i) // no token of a page's own
		strata[0] = append(strata[0], pair{turn: turnOf(keys, w.held, u+"&a=1", u+"&a=2")})
	}
	arrange(strata)
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
	if got, want := fmt.Sprint(rarest(held, "/a/once/e", "/b/d/c/a")), "[b a d c]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Forms of one page are in no mixed pair: another rule may join them. A token that many pairs
// of a rule share names no page.
func TestMixedPairsAreOfTwoPages(t *testing.T) {
	var pages []evidence.Page
	endings := []string{"", "?", "?utm_source=x"}
	for i := range 40 {
		for _, form := range endings {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/old/n%d.html%s", i, form)}, evidence.Page{URL: fmt.Sprintf("/new/n%d.html%s", i, form)})
		}
	}
	w, keys := NewWindow(pages), &hasher{}
	strata := make([][]pair, 1)
	for i := range 40 {
		for _, form := range endings {
			u, v := fmt.Sprintf("/old/n%d.html%s", i, form), fmt.Sprintf("/new/n%d.html%s", i, form)
			strata[0] = append(strata[0], pair{u: u, v: v, turn: turnOf(keys, w.held, u, v)})
		}
	}
	arrange(strata)
	var all []tested
	for _, p := range strata[0] {
		all = append(all, tested{u: p.u, v: p.v, page: p.page})
	}
	for i := range all {
		mixed := mixedWith(keys, all, i, 2)
		if len(mixed) != 2 {
			t.Errorf("%s: %d mixed pairs", all[i].u, len(mixed))
		}
		for _, p := range mixed {
			if name(p.u) == name(p.v) {
				t.Errorf("mixed: %s and %s", p.u, p.v)
			}
		}
	}
	few := [][]pair{strata[0][:9]} // of three pages: each page has a third of all pairs
	arrange(few)
	for _, p := range few[0] {
		if p.page != 0 && p.page == few[0][0].turn.places[0] {
			t.Errorf("%s: a third of the pairs is one page", p.u)
		}
	}
}

// name returns the page's own name of /old/NAME.html.
func name(url string) string {
	url, _, _ = strings.Cut(url, ".")
	return url[len("/old/"):]
}
