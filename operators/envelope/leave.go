package envelope

import "slices"

// Leaving is entering backwards, with one difficulty: a cell that falls out of
// the crowd needs its members, and a crowd's members are not kept. Short lists
// are kept up to twice the limit, so a cell that hovers about it costs nothing;
// for the rest all URLs are looked through, and when very many cells fall at
// once (a pane went out of the window) everything is built anew.

// tooManyScans is how many times all URLs may be looked through in one batch
// of departures: building anew costs as much as some 150 to 260 looks
// (BenchmarkWithout and BenchmarkRecover, 100,000 URLs: 487 and 3.1 ms on a busy
// machine, 279 and 1.1 ms on a quiet one).
const tooManyScans = 128

// Leave takes URLs out of the index. The cost of each is that of entering, or
// for all together that of entering all that remain, if those are fewer.
func (x *Index) Leave(ids ...uint32) {
	x.scans = 0
	for k, id := range ids {
		leaving := len(ids) - k
		if leaving > x.count-leaving || !x.leave(id) {
			x.without(ids[k:])
			return
		}
	}
}

// leave takes out one URL; false, with nothing changed, if that would cost more
// looks through all URLs than building anew.
func (x *Index) leave(id uint32) bool {
	x.u.read(&x.keys, id, x.urls.Text(id))
	x.begin()
	x.descend((*Index).lookBack)
	if x.scans > tooManyScans {
		return false
	}
	x.reckon(leaves)
	x.extract()
	x.marks[id].tokens = 0
	x.count--
	return true
}

// lookBack is lookAt for a URL that leaves: it makes sure that the members are
// known of every cell that comes within the limit. Where that costs too much it
// stops.
func (x *Index) lookBack(of at) bool {
	if x.scans > tooManyScans {
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

// extract takes the URL at hand out of its cells.
func (x *Index) extract() {
	x.walk.fallen = x.walk.fallen[:0]
	x.descend((*Index).extractAt)
	for _, c := range slices.Backward(x.walk.fallen) {
		x.retreat(c)
	}
}

// extractAt takes the URL at hand out of a cell. A cell on the edge goes with its last
// member.
func (x *Index) extractAt(from at) bool {
	key := x.key(from)
	c := x.cells.find(key)
	was := x.crowded(c)
	x.part(c, from)
	switch {
	case was && !x.crowded(c):
		x.walk.fallen = append(x.walk.fallen, from)
	case c.all == 0:
		x.cells.remove(key)
	}
	return was
}

// retreat moves the edge back to a cell that has fallen out of the crowd: the next
// cells of its members are edge no more. It is spread backwards,
// and goes from the narrowest cell to the widest, so that a fallen cell inside
// another is first an edge and then gone.
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

// without builds the index anew without some URLs.
func (x *Index) without(ids []uint32) {
	for _, id := range ids {
		x.marks[id].tokens = 0
	}
	for key := range x.now {
		x.fall(key)
	}
	x.cells, x.pairs, x.lists, x.count = table[cell]{}, table[supports]{}, lists{}, 0
	for id, m := range x.marks {
		if m.tokens > 0 {
			x.Enter(uint32(id))
		}
	}
}
