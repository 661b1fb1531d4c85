package params

// newGroup returns a free place for a group.
func (x *Index) newGroup() uint32 {
	if g := x.freeGroup; g != 0 {
		x.freeGroup = x.groups[g].next
		x.groups[g].next = 0
		return g
	}
	x.groups = append(x.groups, group{})
	return uint32(len(x.groups) - 1)
}

// newRow returns the first of k free nodes in a row. Freed rows are reused for rows of
// the same length. There are at most MaxParams lengths.
func (x *Index) newRow(k int) uint32 {
	for len(x.freeRows) <= k {
		x.freeRows = append(x.freeRows, 0)
	}
	if row := x.freeRows[k]; row != 0 {
		x.freeRows[k] = x.nodes[row].next
		return row
	}
	row := uint32(len(x.nodes))
	for range k {
		x.nodes = append(x.nodes, node{})
	}
	return row
}

func (x *Index) freeRow(row uint32, k int) {
	for i := range uint32(k) {
		x.nodes[row+i] = node{url: noURL}
	}
	x.nodes[row].next = x.freeRows[k]
	x.freeRows[k] = row
}

// chain adds a group to the list under the hash of its rest, after the head.
func (x *Index) chain(g uint32) {
	gr := &x.groups[g]
	tag := gr.mark & restBits
	_, head := x.byRest.seek(tag, tag)
	if head == 0 {
		x.byRest.insert(tag, g)
		return
	}
	h := &x.groups[head]
	gr.next, gr.previous = h.next, head
	if h.next != 0 {
		x.groups[h.next].previous = g
	}
	h.next = g
}

func (x *Index) unchain(g uint32) {
	gr := x.groups[g]
	if gr.next != 0 {
		x.groups[gr.next].previous = gr.previous
	}
	tag := gr.mark & restBits
	switch {
	case gr.previous != 0:
		x.groups[gr.previous].next = gr.next
	case gr.next != 0:
		x.byRest.replace(tag, g, gr.next)
	default:
		x.byRest.remove(tag, g)
	}
}
