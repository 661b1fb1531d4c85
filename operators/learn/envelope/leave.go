package envelope

import "slices"

// Leaving is the reverse of entering, with one difficulty: a cell that falls out of the crowd
// needs its members, which are not kept. Lists are kept up to twice the limit, so a cell near it
// costs nothing. For other cells, all URLs are scanned. If very many cells fall at once (a pane
// left the window), the index is rebuilt.

// tooManyScans bounds the scans of all URLs in one batch of departures. Rebuilding costs as
// much as some 150 to 260 scans (BenchmarkWithout and BenchmarkRecover, 100,000 URLs: 487
// and 3.1 ms on a busy machine, 279 and 1.1 ms on an idle machine).
const tooManyScans = 128

// Leave removes URLs from the index. The cost of each URL is that of entering the URL. If
// more URLs leave than remain, the cost of all together is that of entering the remaining
// URLs.
func (x *Index) Leave(ids ...uint32) {
	x.scans, x.most = 0, tooManyScans
	for k, id := range ids {
		leaving := len(ids) - k
		if leaving > x.count-leaving || !x.leave(id) {
			x.without(ids[k:])
			return
		}
	}
}

// leave removes one URL. leave returns false, and changes nothing, if the scans of all URLs
// would cost more than rebuilding.
func (x *Index) leave(id uint32) bool {
	x.u.read(&x.keys, id, x.urls.Text(id))
	x.begin()
	x.descend((*Index).lookBack)
	if x.scans > x.most {
		return false
	}
	x.reckon(leaves)
	x.extract()
	x.marks[id].tokens = 0
	x.count--
	return true
}

// lookBack is lookAt for a URL that leaves. lookBack makes sure that the members of every
// cell that comes within the limit are known. If the cost is too high, lookBack stops.
func (x *Index) lookBack(of at) bool {
	if x.scans > x.most {
		return false
	}
	c := x.cells.find(x.key(of))
	if x.crowded(c) {
		if c.know != everyone && int(c.all) == x.max+1 ||
			c.know == nobody && x.real(x.u.n, of) && int(c.real) <= x.max+1 {
			x.recover(c, of)
		}
	}
	return x.lookAt(of)
}

func (x *Index) extract() {
	x.walk.fallen = x.walk.fallen[:0]
	x.descend((*Index).extractAt)
	for _, c := range slices.Backward(x.walk.fallen) {
		x.retreat(c)
	}
}

// extractAt removes the subject from a cell. A cell is deleted with its last member. For T = 0, it was then crowded.
func (x *Index) extractAt(from at) bool {
	key := x.key(from)
	c := x.cells.find(key)
	was := x.crowded(c)
	x.part(c, from)
	switch {
	case c.all == 0:
		x.cells.remove(key)
	case was && !x.crowded(c):
		x.walk.fallen = append(x.walk.fallen, from)
	}
	return was
}

// retreat moves the edge back to a cell that has fallen out of the crowd: the next cells of
// the cell's members are no longer on the edge. retreat is the reverse of spread. Cells are
// processed from the narrowest to the widest, so that a fallen cell inside another cell is
// first on the edge and then deleted.
func (x *Index) retreat(to at) {
	c := x.cells.find(x.key(to))
	x.ids2 = x.lists.appendTo(x.ids2[:0], c.list, c.listed())
	if x.grid.wide(to) {
		x.delete(x.key(at{to.i, to.j, true}))
	}
	i, right := x.grid.right(to)
	j, left := x.grid.left(to)
	for _, v := range x.ids2 {
		text, n := x.urls.Text(v), int(x.marks[v].tokens)
		if right && n >= i+to.j {
			p := x.keys.furtherPrefix(x.u.prefix[to.i], text, to.i, i, x.u.before(to.i))
			x.delete(x.keys.cellOf(p, x.u.suffix[to.j], to.inner))
		}
		if left && n >= to.i+j {
			s := x.keys.furtherSuffix(x.u.suffix[to.j], text, to.j, j, len(text)-x.u.after(to.j))
			x.delete(x.keys.cellOf(x.u.prefix[to.i], s, to.inner))
		}
	}
}

// clear removes what is known of pairs and cells. The marks stay.
func (x *Index) clear() {
	for i := range x.now {
		x.cross(x.now[i].key, x.now[i].Pair, true)
	}
	x.now, x.text = nil, 0
	x.cells, x.pairs, x.lists, x.count = table[cell]{}, table[supports]{}, lists{}, 0
}

func (x *Index) without(ids []uint32) {
	for _, id := range ids {
		x.marks[id].tokens = 0
	}
	x.clear()
	for id, m := range x.marks {
		if m.tokens > 0 {
			x.Enter(uint32(id))
		}
	}
}

// sliceVisits bounds the URLs that Part scans: some 30 ms of an idle processor.
const sliceVisits = 1 << 21

// Part is Leave for a caller that must not stand still. Where Leave would build the index again, Part
// empties the index, and the caller calls Resume until it returns true. Before that, only Enter, Change,
// Part and Resume may be called. leaving is the number of URLs that are to leave now or soon, and stays
// reports whether a URL of the index is none of them. A rebuilt index has none of these, and Part does
// nothing with them.
func (x *Index) Part(ids []uint32, leaving int, stays func(id uint32) bool) {
	x.scans, x.most = 0, min(tooManyScans, sliceVisits/max(x.count, 1))
	if leaving > (x.count+x.waiting)/2 && slices.ContainsFunc(ids, x.Knows) {
		x.restart(stays)
	}
	for _, id := range ids {
		switch m := &x.marks[id]; {
		case m.waits:
			m.waits = false
			x.waiting--
		case m.tokens > 0 && !x.leave(id):
			x.restart(stays)
		}
	}
}

// Knows reports whether a URL with a number that was entered before is in the index, or waits.
func (x *Index) Knows(id uint32) bool { return x.marks[id].waits || x.marks[id].tokens > 0 }

// restart empties the index. The URLs that stay wait for Resume. O(URLs and likely pairs).
func (x *Index) restart(stays func(id uint32) bool) {
	if x.count == 0 {
		return
	}
	x.clear()
	x.waiting, x.next = 0, 0
	for id := range x.marks {
		m := &x.marks[id]
		m.waits = (m.waits || m.tokens > 0) && stays(uint32(id))
		if m.tokens = 0; m.waits {
			x.waiting++
		}
	}
}

// Resume enters so many of the URLs that wait since a call of Part, and reports whether none wait any
// longer.
func (x *Index) Resume(most int) (done bool) {
	for ; x.waiting > 0 && most > 0; x.next++ {
		if m := &x.marks[x.next]; m.waits {
			m.waits = false
			x.waiting, most = x.waiting-1, most-1
			x.Enter(x.next)
		}
	}
	return x.waiting == 0
}
