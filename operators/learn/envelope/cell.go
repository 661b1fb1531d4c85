package envelope

import (
	"bytes"
	"math"

	"dustbuster/operators/rule/dust"
)

// cell is an envelope held by the index: a crowded envelope, or an envelope on the edge.
type cell struct {
	all   uint32 // URLs of this form
	real  uint32 // members among these whose middle has at most S tokens: the bucket of figure 1
	list  uint32 // handle of the member list
	know  knowledge
	short uint8 // in a Batch: members of at most S tokens, counted to 255
}

// knowledge describes the members on a cell's list.
type knowledge uint8

const (
	everyone knowledge = iota // all URLs of the form; always the case outside the crowd
	realOnly                  // the bucket's members
	nobody                    // too many to keep
)

// listed returns the length of a cell's list.
func (c *cell) listed() int {
	switch c.know {
	case everyone:
		return int(c.all)
	case realOnly:
		return int(c.real)
	}
	return 0
}

func (x *Index) crowded(c *cell) bool { return c != nil && int(c.all) > x.max }

func (x *Index) key(c at) uint64 { return x.keys.cellOf(x.u.prefix[c.i], x.u.suffix[c.j], c.inner) }

// real reports whether a URL of n tokens is in the bucket at a place: the URL's middle has
// at most S tokens. In a cell that stands for a block, no middle is real.
func (x *Index) real(n int, c at) bool { return n-c.i-c.j <= x.o.MaxTokens && !x.grid.wide(c) }

// longest returns the greatest number of tokens of a URL whose middle is real somewhere in
// the block of a place. The cells inside the block hold no longer URLs.
func (x *Index) longest(c at) int {
	g := x.grid
	return x.o.MaxTokens + g.up(g.floor(c.i)) - 1 + g.up(g.floor(c.j)) - 1
}

// join counts a URL in a cell, and keeps the list as long as it is short.
func (x *Index) join(c *cell, id uint32, to at) {
	n := int(x.marks[id].tokens)
	if c.know == everyone || c.know == realOnly && x.real(n, to) {
		x.lists.add(&c.list, c.listed(), id)
	}
	x.countIn(c, n, to)
	if c.listed() > x.keep {
		x.shorten(c, to)
	}
}

// countIn counts a URL of n tokens in a cell.
func (x *Index) countIn(c *cell, n int, to at) {
	c.all++
	if x.real(n, to) {
		c.real++
	}
	if x.whole && n <= x.o.MaxTokens && c.short < math.MaxUint8 {
		c.short++
	}
}

// shorten reduces a list to the bucket's members, or to none.
func (x *Index) shorten(c *cell, to at) {
	x.ids = x.lists.appendTo(x.ids[:0], c.list, c.listed())
	x.lists.drop(c.list, c.listed())
	c.know = nobody
	if int(c.real) <= x.keep {
		x.setReal(c, to)
	}
}

// setReal makes a list of the bucket's members among x.ids.
func (x *Index) setReal(c *cell, to at) {
	kept := x.ids[:0]
	for _, v := range x.ids {
		if x.real(int(x.marks[v].tokens), to) {
			kept = append(kept, v)
		}
	}
	c.list, c.know = x.lists.set(kept), realOnly
}

func (x *Index) part(c *cell, from at) {
	real := x.real(x.u.n, from)
	if c.know == everyone || c.know == realOnly && real {
		x.lists.remove(&c.list, c.listed(), x.u.id)
	}
	c.all--
	if real {
		c.real--
	}
}

// recover finds the members of a cell of the subject by a scan of all URLs. Departures need
// recover if a list had grown too long to keep and the cell has left the crowd.
func (x *Index) recover(c *cell, of at) {
	x.scans++
	x.lists.drop(c.list, c.listed())
	x.ids = x.ids[:0]
	p, s, most := x.u.before(of.i), x.u.after(of.j), math.MaxInt
	if of.inner {
		most = x.longest(of)
	}
	for v, m := range x.marks {
		if n := int(m.tokens); n > 0 && n >= of.i+of.j && n <= most && x.has(x.urls.Text(uint32(v)), of.i, p, of.j, s) {
			x.ids = append(x.ids, uint32(v))
		}
	}
	if len(x.ids) <= x.keep {
		c.list, c.know = x.lists.set(x.ids), everyone
		return
	}
	x.setReal(c, of)
}

// has reports whether a text begins with the first p bytes of the subject, which are i
// tokens, and ends with its last s bytes, which are j.
func (x *Index) has(v []byte, i, p, j, s int) bool {
	u := x.u.text
	return len(v) >= p+s &&
		bytes.Equal(v[:p], u[:p]) && bytes.Equal(v[len(v)-s:], u[len(u)-s:]) &&
		(i < 2 || dust.Boundary(v, p)) && (j < 2 || dust.Boundary(v, len(v)-s))
}

func (x *Index) delete(key uint64) {
	if c := x.cells.find(key); c != nil {
		x.lists.drop(c.list, c.listed())
		x.cells.remove(key)
	}
}
