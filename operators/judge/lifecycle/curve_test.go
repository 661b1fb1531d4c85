package lifecycle

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
)

// The curve of coverage ends at the present coverage and the last tried pair, and stays small.
func TestCoverage(t *testing.T) {
	w := newTown(60)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	s, curve := m.Answers.Status(), m.Answers.Detail(Query{}, now).Coverage
	last := curve[len(curve)-1]
	if len(curve) < 3 || curve[0].Merged != 0 || last.Merged != s.Merged() || last.Merged == 0 || last.Pairs != m.book.Compared || m.book.Compared < int64(s.Pairs) {
		t.Errorf("%+v, want to end at %f", curve, s.Merged())
	}
	var c coverage
	for i := range int64(10_000) {
		c.add(Point{i, float64(i)})
		if len(c) > mostPoints || c[0].Pairs != 0 || c[len(c)-1].Pairs != i || !slices.IsSortedFunc(c, func(a, b Point) int { return int(a.Pairs - b.Pairs) }) {
			t.Fatalf("after %d: %d points, %+v to %+v", i, len(c), c[0], c[len(c)-1])
		}
	}
	before := len(c)
	for i := range int64(1000) {
		c.add(Point{10_000 + i, 5})
	}
	if len(c) > before+2 {
		t.Errorf("%d points of a flat curve", len(c)-before)
	}
	c = coverage{{0, 0}, {60, .2}}
	if got := c.until(90); !slices.Equal(got, []Point{{0, 0}, {60, .2}, {90, .2}}) || len(c) != 2 {
		t.Errorf("%+v", got)
	}
}
