package envelope

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
	x.begin(x.urls.Evidence(id))
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
func (x *Index) lookBack(i, j int) bool {
	if x.scans > tooManyScans {
		return false
	}
	c := x.cells.find(x.key(i, j))
	if x.crowded(c) {
		real := x.real(x.u.n, i, j)
		if c.know != everyone && int(c.all) == x.max+1 ||
			c.know == nobody && real && int(c.real) <= x.max+1 {
			x.recover(c, i, j)
		}
	}
	return x.lookAt(i, j)
}

// extract takes the URL at hand out of its cells.
func (x *Index) extract() {
	w := &x.walk
	w.small = w.small[:0] // from here on: the cells that fall out of the crowd
	for i, depth := range w.depth {
		for j := range depth {
			c := x.cells.find(x.key(i, j))
			x.part(c, i, j)
			if !x.crowded(c) {
				w.small = append(w.small, at{i, j})
			}
		}
		if j := depth; i+j <= x.u.n && (i == 0 || j < w.depth[i-1]) {
			x.partEdge(i, j)
		}
	}
	for k := len(w.small) - 1; k >= 0; k-- {
		x.retreat(w.small[k].i, w.small[k].j)
	}
}

// partEdge takes the URL at hand out of a cell on the edge, which goes with its
// last member.
func (x *Index) partEdge(i, j int) {
	key := x.key(i, j)
	c := x.cells.find(key)
	x.part(c, i, j)
	if c.all == 0 {
		x.cells.remove(key)
	}
}

// retreat moves the edge back to a cell that has fallen out of the crowd: what
// its members have one token further is edge no more. It is spread backwards,
// and goes from the narrowest cell to the widest, so that a fallen cell inside
// another is first an edge and then gone.
func (x *Index) retreat(i, j int) {
	c := x.cells.find(x.key(i, j))
	x.ids2 = x.lists.appendTo(x.ids2[:0], c.list, c.listed())
	for _, v := range x.ids2 {
		if int(x.marks[v].tokens) <= i+j {
			continue
		}
		p, s := x.further(v, i, j)
		x.delete(x.keys.cellOf(p, x.u.suffix[j]))
		x.delete(x.keys.cellOf(x.u.prefix[i], s))
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
			x.Enter(uint32(id), x.urls.Evidence(uint32(id)))
		}
	}
}
