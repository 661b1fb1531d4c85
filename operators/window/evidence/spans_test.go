package evidence

import (
	"slices"
	"testing"
)

// The test of likely similar, case by case (DustBuster, section 5.1; size_tolerance).
func TestSimilar(t *testing.T) {
	size := func(low, high int64) Spans { return Spans{{low, high, 0}} }
	gzip := func(low, high int64) Spans { return Spans{{low, high, 2}} }
	digest := func(a, b int64) Spans { return Spans{{a, b, Digest}} }
	join := func(es ...Spans) Spans { return slices.Concat(es...) }
	paper, tolerant, off := Similarity{}, Similarity{Tolerance: 0.01}, Similarity{Off: true}
	for _, c := range []struct {
		name string
		s    Similarity
		e, f Spans
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

// TestComparable checks which pages can be compared, and that similar pages can.
func TestComparable(t *testing.T) {
	none, plain, gzip := Spans(nil), Spans{{Min: 1, Max: 9}}, Spans{{Class: 1, Min: 1, Max: 9}}
	one, mixed := Spans{{Class: Digest, Min: 5, Max: 5}}, Spans{{Class: Digest, Min: 5, Max: 6}}
	all := []Spans{none, plain, gzip, append(plain, gzip...), one, mixed, append(plain, one...), append(gzip, mixed...)}
	want := [][]int{{}, {1, 3, 6}, {2, 3, 7}, {1, 2, 3, 6, 7}, {4, 6}, {}, {1, 3, 4, 6}, {2, 3, 7}}
	for i, e := range all {
		known := i != 0 && i != 5
		if (Similarity{}).Known(e) != known || !(Similarity{Off: true}).Known(e) {
			t.Errorf("%v: known, want %v", e, known)
		}
		for j, f := range all {
			comparable := slices.Contains(want[i], j)
			if got := (Similarity{}).Comparable(e, f); got != comparable {
				t.Errorf("%v and %v: comparable %v, want %v", e, f, got, comparable)
			}
			if (Similarity{}).Similar(e, f) && !comparable || !(Similarity{Off: true}).Comparable(e, f) {
				t.Errorf("%v and %v are similar and not comparable", e, f)
			}
		}
	}
}
