package envelope

import "unsafe"

// What an entry takes of the maps of likely pairs, and what a rule made of it takes
// of the lists that others keep: of those told, those refined, those published.
const (
	likelyBytes = 128
	ruleBytes   = 1 << 10
)

// copies is how often the two large tables are counted: one that grows is there
// twice, and half as large again the second time.
const copies = 2

// Bytes is the memory that the index takes, and that lists of its likely pairs take
// elsewhere. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.marks)*int(unsafe.Sizeof(mark{})) + copies*len(x.cells.slots)*int(unsafe.Sizeof(slot[cell]{})) +
		copies*len(x.pairs.slots)*int(unsafe.Sizeof(slot[supports]{})) +
		(len(x.now)+len(x.crossed))*likelyBytes + len(x.now)*ruleBytes + 4*x.text
	for i := range x.lists.classes {
		n += (cap(x.lists.classes[i].data) + cap(x.lists.classes[i].free)) * 4
	}
	return int64(n)
}
