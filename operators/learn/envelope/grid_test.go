package envelope

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

// The places of a grid follow each other. Each number of tokens lies in the block of the
// last place not beyond the number.
func TestGrid(t *testing.T) {
	for _, g := range []grid{theGrid, {fine: 1, step: 2}, {fine: 3, step: 1}, {fine: 2, step: 5}} {
		row := 0
		for place := 0; place < 100; place = g.up(place) {
			if row > 0 && g.up(g.down(place)) != place {
				t.Errorf("%+v: %d is not the place after %d", g, place, g.down(place))
			}
			for i := place; i < g.up(place); i++ {
				if g.floor(i) != place || g.within(i) != i-place || g.row(i) != row {
					t.Errorf("%+v: %d lies %d behind %d in row %d, want %d and %d",
						g, i, g.within(i), g.floor(i), g.row(i), place, row)
				}
			}
			row++
		}
	}
}

// templatePages returns pages of one size, made from a few templates of at least the given
// number of tokens. A page differs from its template in one or two tokens, or is cut off,
// or is unchanged.
func templatePages(rng *rand.Rand, n, tokens int) (pages []evidence.Page) {
	for range n {
		text := strings.Split(strings.Repeat("/a", (tokens+rng.IntN(5))/2), "")
		text[1] = string(rune('a' + rng.IntN(2)))
		for range rng.IntN(3) {
			text[rng.IntN(len(text))] = string(rune('b' + rng.IntN(4)))
		}
		if k := rng.IntN(4 * len(text)); k < len(text) {
			text = text[:k]
		}
		pages = append(pages, evidence.Page{URL: strings.Join(text, ""), Evidence: worlds.Size(9)})
	}
	return pages
}

// Pages of templates enter and leave. All pages are longer than the fine part of the grid.
func TestTemplates(t *testing.T) {
	for seed := range worlds.Rounds(40, 2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o := randomOptions(rng)
		g := grid{fine: 1 + rng.IntN(4), step: 2 + rng.IntN(4)}
		inAndOut(t, o, g, templatePages(rng, 40, 8+rng.IntN(16)))
	}
	rng := rand.New(rand.NewPCG(1, 4))
	inAndOut(t, Defaults(), theGrid, templatePages(rng, 40, 56))
}

// inAndOut lets pages enter, and leave six at a time.
func inAndOut(t *testing.T, o Options, g grid, pages []evidence.Page) {
	w := newWorld(o)
	w.x.grid = g
	w.enter(pages...)
	must(t, w, g)
	for len(pages) > 0 {
		for range min(len(pages), 6) {
			w.Drop(pages[0].URL)
			pages = pages[1:]
		}
		must(t, w, g)
	}
}

// When a URL makes all envelopes of a long template crowded, only a small part of the
// envelopes become cells, and the table of pairs becomes empty.
func TestDearestURL(t *testing.T) {
	w := newWorld(Defaults())
	side := strings.Repeat("/1", 99)
	for i := range 13 {
		w.Set(fmt.Sprint(side, "/x", i, side), worlds.Size(9))
	}
	if cells := w.x.cells.len(); cells > 2500 {
		t.Errorf("%d cells for 40,000 crowded envelopes", cells)
	}
	if pairs := w.x.pairs.len(); pairs != 0 {
		t.Errorf("%d pairs of crowded envelopes", pairs)
	}
}
