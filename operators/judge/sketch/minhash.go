package sketch

import "slices"

// Size is the number of hashes in a sketch.
const Size = 128

// none fills the rest of a sketch with fewer than Size shingles. A shingle with this hash
// is left out.
const none = ^uint64(0)

func noHashes() (m [Size]uint64) {
	for i := range m {
		m[i] = none
	}
	return m
}

// insert inserts h if h is new and among the least hashes. The first test rejects most
// shingles of a long document. Other shingles cost O(Size); there are about Size * (1 +
// ln(n/Size)) of these among n.
func insert(m *[Size]uint64, h uint64) {
	if h >= m[Size-1] {
		return
	}
	i, found := slices.BinarySearch(m[:], h)
	if found {
		return
	}
	copy(m[i+1:], m[i:])
	m[i] = h
}

// jaccard walks through the union in ascending order, as far as both sides are known, and
// returns the share of hashes in both sides. The first Size hashes of the union are a
// random sample: each shingle of the union is equally likely to be in the sample. The
// result is 0 if both sides are empty.
func jaccard(a, b *[Size]uint64) float64 {
	var both, union, i, j int
	for union < Size && i < Size && j < Size && min(a[i], b[j]) != none {
		x, y := a[i], b[j]
		union++
		if x == y {
			both++
		}
		if x <= y {
			i++
		}
		if y <= x {
			j++
		}
	}
	if union == 0 {
		return 0
	}
	return float64(both) / float64(union)
}
