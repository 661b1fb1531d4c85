package params

import "unsafe"

// Memory of map entries, in bytes.
const (
	counterBytes = 48
	likelyBytes  = 32 + 1<<10 // includes the memory of the rule in lists outside the index
	wordBytes    = 128
	valuesBytes  = 16 << 10 // per parameter, when the greatest number of values is counted
)

// Bytes returns the memory of the index, in bytes. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.groups)*int(unsafe.Sizeof(group{})) + cap(x.nodes)*int(unsafe.Sizeof(node{})) +
		(len(x.byKey.slots)+len(x.byRest.slots))*int(unsafe.Sizeof(slot{})) + (cap(x.rows)+cap(x.dirty))*4 +
		len(x.counters)*counterBytes + len(x.likely)*likelyBytes +
		cap(x.words.list)*int(unsafe.Sizeof(word{})) + len(x.words.ids)*wordBytes + x.words.bytes + len(x.values)*valuesBytes
	return int64(n)
}
