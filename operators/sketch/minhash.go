package sketch

import "slices"

// Size is how many hashes a sketch holds.
const Size = 128

// none stands after the hashes of a document of fewer than Size shingles. No
// shingle has it: one that would is left out.
const none = ^uint64(0)

func noHashes() (m [Size]uint64) {
	for i := range m {
		m[i] = none
	}
	return m
}

// insert keeps h if it is among the least and not yet there. The test that most
// shingles of a long document fail comes first. O(Size) for those that pass,
// which are about Size * (1 + ln(n/Size)) of n.
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

// jaccard goes through the union in ascending order, as far as both sides are
// known, and returns the share of what is in both. The first Size hashes of the
// union are a random sample of it: each of its shingles is as likely to be there
// as any other. 0 if both are empty.
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
