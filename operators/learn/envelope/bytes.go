package envelope

import "unsafe"

// The memory of an entry in the maps of likely pairs, and of the rule made from the entry
// in the lists of other packages: emitted, refined and published rules.
const (
	likelyBytes = 128
	ruleBytes   = 1 << 10
)

// copies is the factor for the two large tables: a growing table exists twice, and the
// second copy is half as large again.
const copies = 2

// Bytes returns the memory of the index, and of the lists of the likely pairs in other
// packages. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.marks)*int(unsafe.Sizeof(mark{})) + copies*len(x.cells.slots)*int(unsafe.Sizeof(slot[cell]{})) +
		copies*len(x.pairs.slots)*int(unsafe.Sizeof(slot[supports]{})) +
		(len(x.now)+len(x.crossed))*likelyBytes + len(x.now)*ruleBytes + 4*x.text
	for i := range x.lists.classes {
		n += (cap(x.lists.classes[i].data) + cap(x.lists.classes[i].free)) * 4
	}
	return int64(n)
}
