package envelope

// NextSet begins another set of URLs. URLs of different sets share no envelope, and the
// supports of a pair add up over the sets. The index forgets the URLs of earlier sets: they
// can neither change nor leave, and the list may release them. Amortized O(1) for each of
// these URLs.
func (x *Index) NextSet() {
	x.cells, x.count, x.marks = table[cell]{}, 0, x.marks[:0]
	for i := range x.lists.classes {
		c := &x.lists.classes[i]
		c.data, c.free = c.data[:0], c.free[:0]
	}
}
