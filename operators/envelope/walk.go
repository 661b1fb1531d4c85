package envelope

// walk is the staircase of the URL at hand.
type walk struct {
	depth []int // by row i: how many cells (i, 0), (i, 1), ... are crowded; the rows after the last have none
	small []at  // crowded cells with few members in their buckets
	tip   at    // the last cell that became crowded
}

// at is a place (i, j) in a URL's triangle of envelopes.
type at struct{ i, j int }

// crowdedIn is the number of crowded cells in a row.
func (w *walk) crowdedIn(i int) int {
	if i < len(w.depth) {
		return w.depth[i]
	}
	return 0
}

// descend visits the crowded cells of the URL at hand, row by row from the
// widest, and at the end of a row the cell on the edge, if it has one; visit
// tells whether the cell is crowded.
func (x *Index) descend(visit func(x *Index, i, j int) bool) {
	w, n := &x.walk, x.u.n
	w.depth = w.depth[:0]
	wider := n + 1 // crowded cells in the row above
	for i := 0; wider > 0; i++ {
		j, end := 0, min(wider, n-i+1)
		for j < end && visit(x, i, j) {
			j++
		}
		w.depth = append(w.depth, j)
		wider = j
	}
}

// insert adds the URL at hand to its cells.
func (x *Index) insert() {
	x.walk.tip = at{-1, -1}
	x.descend((*Index).insertAt)
}

func (x *Index) insertAt(i, j int) bool {
	c := x.cells.put(x.key(i, j))
	was, full := x.crowded(c), int(c.all) >= x.max
	x.meetMembers(c, i, j, full, int(c.real))
	x.join(c, x.u.id, i, j)
	if was || !x.crowded(c) {
		return was
	}
	x.spread(c, i, j)
	return true
}

// look finds the cells of the URL at hand, which is in the index.
func (x *Index) look() { x.descend((*Index).lookAt) }

func (x *Index) lookAt(i, j int) bool {
	c := x.cells.find(x.key(i, j))
	x.meetMembers(c, i, j, x.crowded(c), int(c.real)-1)
	return x.crowded(c)
}

// spread moves the edge past a cell that has just become crowded: what its
// earlier members have one token further becomes edge, unless it lies inside
// another uncrowded cell. The URL at hand comes there by itself.
//
// Long URLs of one template tip very many cells at once. So members that go on with
// the tokens of the URL at hand go together, and what the walk has seen is not looked
// up again.
func (x *Index) spread(c *cell, i, j int) {
	x.ids2 = x.lists.appendTo(x.ids2[:0], c.list, c.listed())
	if !x.walk.tipped(i, j-1) { // else all cells (i+1, j-1) lie within one that has only just become crowded
		x.spreadRight(i, j)
	}
	x.spreadLeft(i, j)
	x.walk.tip = at{i, j}
}

// tipped reports whether a cell became crowded as the last of this walk.
func (w *walk) tipped(i, j int) bool { return w.tip == at{i, j} }

// spreadRight goes one token further at the start.
func (x *Index) spreadRight(i, j int) {
	x.together = x.together[:0]
	for _, v := range x.ids2 {
		if v == x.u.id || int(x.marks[v].tokens) <= i+j {
			continue
		}
		text := x.urls.Text(v)
		if x.u.hasNext(text, i) {
			x.together = append(x.together, v)
			continue
		}
		p := x.keys.longerPrefix(x.u.prefix[i], x.keys.next(text, i, x.u.before(i)))
		if j == 0 || x.crowdedAt(p, x.u.suffix[j-1]) {
			x.join(x.cells.put(x.keys.cellOf(p, x.u.suffix[j])), v, i+1, j)
		}
	}
	if len(x.together) > 0 && (j == 0 || x.crowdedAt(x.u.prefix[i+1], x.u.suffix[j-1])) {
		x.joinAll(x.key(i+1, j), i+1, j)
	}
}

// spreadLeft goes one token further at the end. The walk has been in the row above.
func (x *Index) spreadLeft(i, j int) {
	x.together = x.together[:0]
	for _, v := range x.ids2 {
		if v == x.u.id || int(x.marks[v].tokens) <= i+j {
			continue
		}
		text := x.urls.Text(v)
		if x.u.hasLast(text, j) {
			x.together = append(x.together, v)
			continue
		}
		s := x.keys.longerSuffix(x.u.suffix[j], x.keys.last(text, j, len(text)-x.u.after(j)))
		if i == 0 || x.crowdedAt(x.u.prefix[i-1], s) {
			x.join(x.cells.put(x.keys.cellOf(x.u.prefix[i], s)), v, i, j+1)
		}
	}
	if len(x.together) > 0 && (i == 0 || j+1 < x.walk.depth[i-1]) {
		x.joinAll(x.key(i, j+1), i, j+1)
	}
}

// joinAll counts the URLs that go together in a cell.
func (x *Index) joinAll(key uint64, i, j int) {
	c := x.cells.put(key)
	if c.all > 0 {
		for _, v := range x.together {
			x.join(c, v, i, j)
		}
		return
	}
	c.all, c.list = uint32(len(x.together)), x.lists.set(x.together)
	for _, v := range x.together {
		if x.real(int(x.marks[v].tokens), i, j) {
			c.real++
		}
	}
}

// further hashes one token more of the prefix and of the suffix of v, which has
// the cell (i, j) of the URL at hand.
func (x *Index) further(v uint32, i, j int) (p, s uint64) {
	text := x.urls.Text(v)
	p = x.keys.longerPrefix(x.u.prefix[i], x.keys.next(text, i, x.u.before(i)))
	s = x.keys.longerSuffix(x.u.suffix[j], x.keys.last(text, j, len(text)-x.u.after(j)))
	return p, s
}

func (x *Index) crowdedAt(p, s uint64) bool {
	return x.crowded(x.cells.find(x.keys.cellOf(p, s)))
}
