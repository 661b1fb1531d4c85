package params

import "unsafe"

// What entries of maps take, in bytes.
const (
	counterBytes = 48
	likelyBytes  = 32 + 1<<10 // and what a rule made of it takes of the lists that others keep
	wordBytes    = 128
	valuesBytes  = 16 << 10 // a parameter's, when as many are counted as can be
)

// Bytes is the memory that the index takes. O(1).
func (x *Index) Bytes() int64 {
	n := cap(x.groups)*int(unsafe.Sizeof(group{})) + cap(x.nodes)*int(unsafe.Sizeof(node{})) +
		(len(x.byKey.slots)+len(x.byRest.slots))*int(unsafe.Sizeof(slot{})) + (cap(x.rows)+cap(x.dirty))*4 +
		len(x.counters)*counterBytes + len(x.likely)*likelyBytes +
		cap(x.words.list)*int(unsafe.Sizeof(word{})) + len(x.words.ids)*wordBytes + x.words.bytes + len(x.values)*valuesBytes
	return int64(n)
}
