package lifecycle

import (
	"slices"
)

// Point is a point of the curve of coverage: the share of merged URLs after a number of
// tried pairs.
type Point struct {
	Pairs  int64   // tried for rules and sets, those of earlier starts too as far as they are remembered
	Merged float64 // share of the window's URLs that L merges with other URLs
}

// mostPoints bounds the number of points of a curve.
const mostPoints = 128

// coverage is the curve of coverage since the start of the program. If there are too many
// points, every second point is dropped.
type coverage []Point

// add adds a point. A point with the coverage of the two last points replaces the last point.
func (c *coverage) add(p Point) {
	all := *c
	last := len(all) - 1
	switch {
	case last >= 0 && all[last].Pairs == p.Pairs:
		all[last] = p
		return
	case last >= 1 && all[last].Merged == p.Merged && all[last-1].Merged == p.Merged:
		all[last] = p
		return
	}
	if all = append(all, p); len(all) > mostPoints {
		kept := all[:0]
		for i := range all {
			if i%2 == 0 || i == len(all)-1 {
				kept = append(kept, all[i])
			}
		}
		all = kept
	}
	*c = all
}

// until returns a copy of the points. The last coverage holds until the present number of pairs.
func (c coverage) until(pairs int64) []Point {
	all := slices.Clone(c)
	if n := len(all); n > 0 && all[n-1].Pairs < pairs {
		all = append(all, Point{pairs, all[n-1].Merged})
	}
	return all
}
