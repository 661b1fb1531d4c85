package envelope

// walk is the staircase of the URL at hand.
type walk struct {
	depth []int // by row i: how many cells (i, 0), (i, 1), ... are crowded; the rows after the last have none
	small []at  // crowded cells with few members in their buckets
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
func (x *Index) insert() { x.descend((*Index).insertAt) }

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
func (x *Index) spread(c *cell, i, j int) {
	x.ids2 = x.lists.appendTo(x.ids2[:0], c.list, c.listed())
	for _, v := range x.ids2 {
		if v == x.u.id || int(x.marks[v].tokens) <= i+j {
			continue
		}
		p, s := x.further(v, i, j)
		if j == 0 || x.crowdedAt(p, x.u.suffix[j-1]) {
			x.join(x.cells.put(x.keys.cellOf(p, x.u.suffix[j])), v, i+1, j)
		}
		if i == 0 || x.crowdedAt(x.u.prefix[i-1], s) {
			x.join(x.cells.put(x.keys.cellOf(x.u.prefix[i], s)), v, i, j+1)
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
