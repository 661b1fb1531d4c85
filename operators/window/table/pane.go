package table

import (
	"math"
	"slices"
)

// pane is one pane of time.
type pane struct {
	number int64
	count  int      // URLs
	order  *ranking // the pane's URLs, once the pane is full or cut; nil before
	cut    Cut      // the lowest cut that reaches the pane
	isCut  bool
	left   leftOut
}

// paneAt returns a pane, and moves the window if it is the newest so far; false if it is
// older than the window.
func (t *Table) paneAt(number int64) (*pane, bool) {
	if t.recent != nil && t.recent.number == number {
		return t.recent, true
	}
	p := t.state[number]
	if p == nil {
		if number <= t.oldest() {
			return nil, false
		}
		if number > t.newest {
			t.moveTo(number)
		}
		p = &pane{number: number}
		p.cut, p.isCut = t.cutOf(number)
		t.state[number] = p
	}
	t.recent = p
	return p, true
}

// oldest returns the newest of the panes before the window.
func (t *Table) oldest() int64 {
	if t.newest < math.MinInt64+t.panes { // no pane yet, or the window reaches below all numbers
		return math.MinInt64
	}
	return t.newest - t.panes
}

// moveTo makes a pane the newest, and drops the panes that have left the window. O(URLs), once for
// each pane.
func (t *Table) moveTo(newest int64) {
	was := t.newest
	t.newest = newest
	gone := false
	for number := range t.state {
		if number <= t.oldest() {
			delete(t.state, number)
			gone = true
		}
	}
	t.cuts = slices.DeleteFunc(t.cuts, func(c Cut) bool { return c.Pane <= t.oldest() })
	if !gone {
		return
	}
	for id := range t.heads {
		t.discard(uint32(id), func(pane uint32) bool { return numberOf(pane, was) <= t.oldest() })
	}
}

// admits reports whether a pane takes in a URL that it does not hold yet. It ranks the URLs of
// a pane that is cut or full for the first time; other panes need no order.
func (t *Table) admits(p *pane, url []byte) bool {
	if !p.isCut && p.count < t.o.MaxURLs {
		return true
	}
	if p.order == nil {
		t.rankPane(p)
	}
	u, family := t.rank(url)
	switch {
	case p.isCut && (p.cut.leavesOut(u) || p.order.surplusIn(family, u)):
	case p.count < t.o.MaxURLs, p.order.before(family, u):
		return true
	}
	p.left.add(u.url)
	return false
}

func (t *Table) rankPane(p *pane) {
	p.order = newRanking()
	for id := range t.heads {
		if t.inPane(uint32(id), p.number) {
			p.order.add(t.ranked(uint32(id)))
		}
	}
	t.trim(p)
}

// trim removes the URLs of a ranked pane for which there is no room, and reports whether
// there were any.
func (t *Table) trim(p *pane) (removed bool) {
	for p.count > t.o.MaxURLs || p.isCut && p.order.surplus() {
		out := p.order.removeLast()
		p.left.add(out.url)
		t.discard(out.id, func(pane uint32) bool { return pane == uint32(p.number) })
		p.count--
		removed = true
	}
	return removed
}

func (t *Table) ranked(id uint32) (family uint64, u ranked) {
	u, family = t.rank(t.urls.Text(id))
	u.id = id
	return family, u
}

// enroll adds a URL to a pane and removes the URLs for which there is no room. The URL's
// first entry follows. enroll reports whether a URL was removed.
func (t *Table) enroll(p *pane, id uint32) (removed bool) {
	for int(id) >= len(t.heads) {
		t.heads, t.dirty = append(t.heads, 0), append(t.dirty, 0)
	}
	p.count++
	t.enrolled++
	t.touch(id)
	if p.order == nil {
		return false
	}
	p.order.add(t.ranked(id))
	return t.trim(p)
}
