package envelope

import "slices"

// walk is the staircase of the subject.
type walk struct {
	depth  []int // by row of the grid: the first j that is not crowded; rows after the last have no crowded cells
	open   []row // inside crowded blocks: the real cells that are not crowded
	small  []at  // crowded cells with few members in their buckets
	fallen []at  // cells that have just left the crowd
	above  int   // the first j that is not crowded in the row above the current row
	tip    at    // the last cell that became crowded in this staircase

	spread []uint32 // the members of the last cell that became crowded
	shared []common // by member, if the cell before had the same members
}

// common is the numbers of tokens common to a URL and the subject, at the start and at the end.
type common struct{ a, b int }

// row is the cells (i, j) of a row with from ≤ j < to.
type row struct{ i, from, to int }

// visit processes a cell of the subject, and reports whether it is crowded.
type visit func(*Index, at) bool

// descend visits the crowded cells of the subject, row by row from the widest, and at the end
// of a row the cell on the edge, if there is one. If a cell stands for a block, descend then
// visits the cells inside.
func (x *Index) descend(visit visit) {
	w, n := &x.walk, x.u.n
	last := w.depth // of the subject before, overwritten row by row
	w.depth, w.open = w.depth[:0], w.open[:0]
	w.above, w.tip = n+1, at{-1, -1, false}
	w.spread, w.shared = w.spread[:0], w.shared[:0]
	for i := 0; w.above > 0; i = x.grid.up(i) {
		j, end := 0, min(w.above, n-i+1)
		if x.whole && n <= x.o.MaxTokens && i < x.grid.fine && i < len(last) {
			j = x.full(i, min(last[i], end, x.grid.fine))
		}
		for j < end && visit(x, at{i, j, false}) {
			if i >= x.grid.fine || j >= x.grid.fine {
				x.descendInside(at{i, j, true}, visit)
			}
			j = x.grid.up(j)
		}
		w.depth = append(w.depth, j)
		w.above = j
	}
}

// full returns a place in row i, at most j, before which the URLs of a Batch need not be counted any more:
// each cell there has more than T members of at most S tokens, since the last of them has. Most URLs have
// nearly the same staircase as the URL before in the order of the texts, so that j is found at once.
func (x *Index) full(i, j int) int {
	for j > 0 {
		if c := x.cells.find(x.key(at{i, j - 1, false})); c != nil && int(c.short) > x.max {
			break
		}
		j--
	}
	return j
}

// descendInside visits the cells inside a crowded block in the same way, if the subject's
// middle is real in any of them.
func (x *Index) descendInside(corner at, visit visit) {
	w, n := &x.walk, x.u.n
	if n > x.longest(corner) {
		return
	}
	above, tip := w.above, w.tip
	right, left := x.grid.up(corner.i), x.grid.up(corner.j)
	w.above, w.tip = left, at{-1, -1, true}
	for i := corner.i; i < right && i+corner.j <= n; i++ {
		j, end := corner.j, min(w.above, n-i+1)
		for j < end && visit(x, at{i, j, true}) {
			j++
		}
		w.open = append(w.open, x.realIn(row{i, j, left}))
		w.above = j
	}
	w.above, w.tip = above, tip
}

// outside returns the real cells of row i that are in no crowded block.
func (x *Index) outside(i int) row {
	r := row{i, 0, x.u.n + 1}
	if k := x.grid.row(i); k < len(x.walk.depth) {
		r.from = x.walk.depth[k]
	}
	return x.realIn(r)
}

// realIn returns the cells of a row that are real for the subject.
func (x *Index) realIn(r row) row {
	return row{r.i, max(r.from, x.u.n-x.o.MaxTokens-r.i), min(r.to, x.u.n-r.i+1)}
}

func (x *Index) insert() { x.descend((*Index).insertAt) }

func (x *Index) insertAt(to at) bool {
	c := x.cells.put(x.key(to))
	was, full := x.crowded(c), int(c.all) >= x.max
	x.meetMembers(c, to, full, int(c.real))
	x.join(c, x.u.id, to)
	if was || !x.crowded(c) {
		return was
	}
	x.spread(c, to)
	return true
}

// look finds the cells of the subject. The subject must be in the index.
func (x *Index) look() { x.descend((*Index).lookAt) }

func (x *Index) lookAt(of at) bool {
	c := x.cells.find(x.key(of))
	x.meetMembers(c, of, x.crowded(c), int(c.real)-1)
	return x.crowded(c)
}

// spread moves the edge past a cell that has just become crowded: the next cells of the
// cell's earlier members, in both directions, are now on the edge, unless they lie inside
// another uncrowded cell. The walk brings the subject there as well.
//
// Long URLs of one template make very many cells crowded at once. Members that continue
// with the tokens of the subject are therefore processed together, and results of the walk
// are not looked up again.
func (x *Index) spread(c *cell, from at) {
	x.ids2 = x.lists.appendTo(x.ids2[:0], c.list, c.listed())
	x.ids2 = x.ids2[:len(x.ids2)-1] // the subject is the last member
	x.compareAgain()
	if x.grid.wide(from) {
		x.openBlock(from)
	}
	// Otherwise all cells to the right lie within a cell that has only just become crowded.
	if j, ok := x.grid.before(from.j, from.inner); !ok || x.walk.tip != (at{from.i, j, from.inner}) {
		x.spreadRight(from)
	}
	x.spreadLeft(from)
	x.walk.tip = from
}

// compareAgain compares the members in x.ids2 with the subject once, if they are those of the cell before.
func (x *Index) compareAgain() {
	w := &x.walk
	if !slices.Equal(x.ids2, w.spread) {
		w.spread, w.shared = append(w.spread[:0], x.ids2...), w.shared[:0]
		return
	}
	if len(w.shared) > 0 {
		return
	}
	for _, v := range x.ids2 {
		a, b := x.u.shared(x.urls.Text(v))
		w.shared = append(w.shared, common{a, b})
	}
}

// openBlock starts the staircase inside a block that has just become crowded.
func (x *Index) openBlock(c at) {
	c.inner = true
	x.together = x.together[:0]
	for _, v := range x.ids2 {
		if int(x.marks[v].tokens) <= x.longest(c) {
			x.together = append(x.together, v)
		}
	}
	x.joinAll(c)
}

func (x *Index) spreadRight(from at) {
	next, ok := x.grid.right(from)
	if !ok {
		return
	}
	to := at{next, from.j, from.inner}
	j, hasWider := x.grid.before(to.j, to.inner)
	x.together, x.apart = x.together[:0], x.apart[:0]
	for k, v := range x.ids2 {
		if int(x.marks[v].tokens) < next+from.j {
			continue
		}
		if len(x.walk.shared) > 0 && x.walk.shared[k].a >= next {
			x.together = append(x.together, v)
			continue
		}
		text := x.urls.Text(v)
		if x.u.hasNext(text, from.i, next) {
			x.together = append(x.together, v)
			continue
		}
		p := x.keys.furtherPrefix(x.u.prefix[from.i], text, from.i, next, x.u.before(from.i))
		x.apart = append(x.apart, apart{v, x.keys.cellOf(p, x.u.suffix[to.j], to.inner), x.keys.cellOf(p, x.u.suffix[max(j, 0)], to.inner)})
	}
	x.joinApart(to, hasWider)
	if len(x.together) > 0 && x.crowdedBelow(x.u.prefix[next], to) {
		x.joinAll(to)
	}
}

// crowdedBelow reports whether the cell of p with fewer tokens at the end is crowded, or
// does not exist.
func (x *Index) crowdedBelow(p uint64, c at) bool {
	j, ok := x.grid.before(c.j, c.inner)
	return !ok || x.crowded(x.cells.find(x.keys.cellOf(p, x.u.suffix[j], c.inner)))
}

func (x *Index) spreadLeft(from at) {
	next, ok := x.grid.left(from)
	if !ok {
		return
	}
	to := at{from.i, next, from.inner}
	i, hasWider := x.grid.before(to.i, to.inner)
	x.together, x.apart = x.together[:0], x.apart[:0]
	for k, v := range x.ids2 {
		if int(x.marks[v].tokens) < from.i+next {
			continue
		}
		if len(x.walk.shared) > 0 && x.walk.shared[k].b >= next {
			x.together = append(x.together, v)
			continue
		}
		text := x.urls.Text(v)
		if x.u.hasLast(text, from.j, next) {
			x.together = append(x.together, v)
			continue
		}
		s := x.keys.furtherSuffix(x.u.suffix[from.j], text, from.j, next, len(text)-x.u.after(from.j))
		x.apart = append(x.apart, apart{v, x.keys.cellOf(x.u.prefix[to.i], s, to.inner), x.keys.cellOf(x.u.prefix[max(i, 0)], s, to.inner)})
	}
	x.joinApart(to, hasWider)
	if len(x.together) > 0 && x.ownCrowdedAbove(to) {
		x.joinAll(to)
	}
}

// ownCrowdedAbove is crowdedAbove for the tokens of the subject. The walk knows the row above
// only as far as the subject has it; a block farther on may be too long.
func (x *Index) ownCrowdedAbove(c at) bool {
	if i, ok := x.grid.before(c.i, c.inner); ok && i+c.j > x.u.n {
		return x.crowdedAbove(x.u.suffix[c.j], c)
	}
	return c.j < x.walk.above
}

// crowdedAbove reports whether the cell of s with fewer tokens at the start is crowded, or
// does not exist.
func (x *Index) crowdedAbove(s uint64, c at) bool {
	i, ok := x.grid.before(c.i, c.inner)
	return !ok || x.crowded(x.cells.find(x.keys.cellOf(x.u.prefix[i], s, c.inner)))
}

// apart is a member that goes on with other tokens than the subject: its next cell, and the wider cell in which
// that lies unless it is crowded. At the start of a staircase there is none.
type apart struct {
	id          uint32
	next, wider uint64
}

// joinApart lists the members in x.apart in their next cells. The cells are scattered over the memory, so they
// are read together.
func (x *Index) joinApart(to at, hasWider bool) {
	for _, a := range x.apart {
		x.meet.touched ^= x.cells.touch(a.wider) ^ x.cells.touch(a.next)
	}
	for _, a := range x.apart {
		if !hasWider || x.crowded(x.cells.find(a.wider)) {
			x.join(x.cells.put(a.next), a.id, to)
		}
	}
}

// joinAll counts the URLs processed together in a cell of the subject.
func (x *Index) joinAll(to at) {
	if len(x.together) == 0 {
		return
	}
	c := x.cells.put(x.key(to))
	if c.all > 0 {
		for _, v := range x.together {
			x.join(c, v, to)
		}
		return
	}
	c.list = x.lists.set(x.together)
	for _, v := range x.together {
		x.countIn(c, int(x.marks[v].tokens), to)
	}
}
