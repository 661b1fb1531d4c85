package params

// settle updates the counters to the current list. O(members of the groups touched since
// the last call) and, rarely, a pass over the list.
func (x *Index) settle() {
	late := x.settleGroups(x.dirty, nil)
	if cap(x.dirty) > 1<<16 {
		x.dirty = nil
	}
	x.dirty = x.dirty[:0]
	x.settleValues()
	x.settleGroups(late, nil) // all values are known now, so no group is late again
	x.forgetValues()
}

// settleGroups counts groups in their current state. settleGroups appends to late, and
// returns, the groups that must wait until the values in their rest are counted.
func (x *Index) settleGroups(list, late []uint32) []uint32 {
	for _, g := range list {
		gr := &x.groups[g]
		gr.mark &^= dirty
		if gr.holders != 0 && !x.settleGroup(gr) {
			late = append(late, g)
		}
	}
	return late
}

func (x *Index) settleGroup(gr *group) (done bool) {
	n := x.read(gr)
	was, now := gr.mark&state, x.stateOf(gr, n)
	if was == now {
		return true
	}
	if was == 0 && x.demand(n) {
		return false
	}
	x.apply(n, change(was, now))
	gr.mark = gr.mark&^state | now
	return true
}

// read splits one holder of a group into x.q and returns the number of its name: the node's
// place in its row.
func (x *Index) read(gr *group) (n int) {
	p := gr.holders
	id := x.nodes[p].url
	x.q.Split(x.urls.Text(id), x.o.MaxParams)
	return int(p - x.rows[id])
}

// stateOf computes the state of a group whose holder is in x.q.
func (x *Index) stateOf(gr *group, n int) uint32 {
	x.tally.reset()
	for p := gr.holders; ; {
		x.tally.add(x.urls.Evidence(x.nodes[p].url))
		if p = x.nodes[p].next; p == gr.holders {
			break
		}
	}
	x.buf = x.q.Rest(x.buf[:0], n)
	if id, ok := x.urls.Lookup(x.buf); ok && x.joins(x.urls.Evidence(id)) {
		x.tally.add(x.urls.Evidence(id))
	}
	return x.tally.state(x.o.Similarity)
}
