package forms

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/read/crawler"
)

// A server may answer robots with a wall, and people with pages. Then the log has one size, about, at the URLs of a kind
// that robots alone asked for, and other sizes at those that people alone asked for.

// Bounds of such a kind.
const (
	leastWalled = 10  // URLs of robots, and of people
	wallSpread  = 512 // bytes between the sizes of walls, which may name their URL
	mostInWall  = 10  // of so many URLs of people one may have such a size
)

// findWalls finds the sizes that robots alone are sent, by kind of URL. O(URLs).
func (w *Window) findWalls() {
	walls := map[string]trial.Size{}
	for kind, sizes := range w.sizesByKind(func(families uint32) bool { return families != 0 && families&crawler.People == 0 }) {
		if least, most := slices.Min(sizes), slices.Max(sizes); len(sizes) >= leastWalled && most-least <= wallSpread {
			walls[kind] = trial.Size{Min: least - wallSpread, Max: most + wallSpread}
		}
	}
	if len(walls) == 0 {
		return
	}
	people := w.sizesByKind(func(families uint32) bool { return families == crawler.People })
	for kind, wall := range walls {
		inside := 0
		for _, n := range people[kind] {
			if n >= wall.Min && n <= wall.Max {
				inside++
			}
		}
		if len(people[kind]) < leastWalled || mostInWall*inside > len(people[kind]) {
			delete(walls, kind)
		}
	}
	w.walls = walls
}

// sizesByKind returns a size of each URL that some families asked for, by kind.
func (w *Window) sizesByKind(of func(families uint32) bool) map[string][]int64 {
	sizes := map[string][]int64{}
	for i := range w.Pages {
		if all := w.Pages[i].Evidence.Sizes(); len(all) > 0 && of(w.familiesOf(i)) {
			kind := KindOf(w.Pages[i].URL)
			sizes[kind] = append(sizes[kind], all[0].Min)
		}
	}
	return sizes
}
