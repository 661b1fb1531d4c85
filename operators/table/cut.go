package table

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"dustbuster/operators/budget"
	"dustbuster/operators/dust"
	"dustbuster/operators/urllist"
)

// Cut says that no pane up to one, by number, keeps a URL whose hash is greater.
// Cuts are acts: where memory is short, somebody decides on them. Given the cuts,
// the table is a fold of the hits as before, since a cut looks at one URL and one
// pane. The cuts of several owners join by taking all of them.
type Cut struct {
	Pane int64  `json:"pane"`
	Hash uint64 `json:"hash,string"`
}

// AddCut notes a cut, and reports whether it says anything new. URLs beyond it that
// are in the table stay until Copy.
func (t *Table) AddCut(c Cut) (news bool) {
	if c.Pane <= t.oldest() || t.cutOf(c.Pane) <= c.Hash {
		return false
	}
	t.cuts = slices.DeleteFunc(t.cuts, func(o Cut) bool { return o.Pane <= c.Pane && o.Hash >= c.Hash })
	at, _ := slices.BinarySearchFunc(t.cuts, c, func(a, b Cut) int { return cmp.Compare(a.Pane, b.Pane) })
	t.cuts = slices.Insert(t.cuts, at, c)
	for number, p := range t.state {
		p.cut = t.cutOf(number)
	}
	return true
}

// Cuts are those that hold for the window, or newer panes. Not to be changed.
func (t *Table) Cuts() []Cut { return t.cuts }

// cutOf is the greatest hash that a pane keeps. Cuts ascend in both members, so the
// first that reaches the pane is the lowest.
func (t *Table) cutOf(pane int64) uint64 {
	for _, c := range t.cuts {
		if c.Pane >= pane {
			return c.Hash
		}
	}
	return math.MaxUint64
}

// CutTo returns the cut of all panes so far that leaves the URLs of smallest hash
// whose costs together are at most total. O(n log n).
func (t *Table) CutTo(total int64) Cut {
	type priced struct {
		hash uint64
		cost int64
	}
	var all []priced
	for id := range t.heads {
		if t.heads[id] != 0 {
			text := t.urls.Text(uint32(id))
			all = append(all, priced{t.hash(text), budget.Cost(len(text), dust.CountTokens(text))})
		}
	}
	slices.SortFunc(all, func(a, b priced) int { return cmp.Compare(a.hash, b.hash) })
	c := Cut{Pane: t.newest}
	for _, u := range all {
		if total -= u.cost; total < 0 {
			break
		}
		c.Hash = u.hash
	}
	return c
}

// Copy puts what the cuts leave into a new table over an empty list, which takes no
// more memory than it needs. All of it counts as changed; what was not saved is not
// saved there.
func (t *Table) Copy(urls *urllist.List) *Table {
	c := New(t.o, urls)
	c.newest, c.cuts, c.separators = t.newest, t.cuts, t.separators
	for id := range t.heads {
		if t.heads[id] != 0 {
			c.copyURL(t, uint32(id))
		}
	}
	return c
}

func (t *Table) copyURL(from *Table, id uint32) {
	text := from.urls.Text(id)
	hash := from.hash(text)
	var chain []entry
	for at := from.heads[id]; at != 0; at = from.entries[at-1].next {
		chain = append(chain, from.entries[at-1])
	}
	for _, e := range slices.Backward(chain) { // the newest comes to stand first again
		p, _ := t.paneAt(e.pane)
		if hash > p.cut {
			continue
		}
		to := t.intern(text)
		if !t.inPane(to, e.pane) {
			t.enroll(p, to, text)
		}
		x := t.entry(to, e.pane, e.class)
		e.next = x.next
		*x = e
		if e.unsaved {
			t.mark(to, inUnsaved, &t.unsaved)
		}
	}
}

// intern puts a URL into the list.
func (t *Table) intern(url []byte) uint32 {
	id, added := t.urls.Intern(url)
	if added {
		tokens := dust.CountTokens(url)
		t.cost += budget.Cost(len(url), tokens)
		t.tokens += int64(tokens)
	}
	return id
}

// Release takes a URL that has left the window out of the list.
func (t *Table) Release(id uint32) {
	text := t.urls.Text(id)
	t.cost -= budget.Cost(len(text), dust.CountTokens(text))
	t.urls.Release(id)
}

// Cost is the sum of what the URLs in the list cost.
func (t *Table) Cost() int64 { return t.cost }

// Tokens is how many tokens the URLs had that ever came into the list.
func (t *Table) Tokens() int64 { return t.tokens }

// Enrolled is how many times so far a URL has come into a pane.
func (t *Table) Enrolled() int { return t.enrolled }

// Len is the number of URLs in the window.
func (t *Table) Len() int { return t.urls.Len() - t.gone }

// Bytes is the memory that the table takes, without the list of URLs. O(panes).
func (t *Table) Bytes() int64 {
	n := cap(t.heads)*4 + cap(t.dirty) + cap(t.entries)*int(unsafe.Sizeof(entry{})) + (cap(t.changed)+cap(t.unsaved))*4
	for _, p := range t.state {
		n += cap(p.top) * int(unsafe.Sizeof(ranked{}))
	}
	return int64(n)
}
