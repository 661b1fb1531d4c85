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

// Cut bounds the panes up to and including Pane: these panes keep no URL with a hash
// greater than Hash. Cuts are acts, decided when memory is short. Given the cuts, the table
// is still a fold of the hits, since a cut looks at one URL and one pane. The cuts of
// several owners are joined by taking all cuts.
type Cut struct {
	Pane int64  `json:"pane"`
	Hash uint64 `json:"hash,string"`
}

// AddCut adds a cut, and reports whether the cut changes anything. URLs of the table that
// are beyond the cut stay until Copy.
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

// Cuts returns the cuts that hold for the window or for newer panes. Callers must not
// modify the result.
func (t *Table) Cuts() []Cut { return t.cuts }

// cutOf returns the greatest hash that a pane keeps. Cuts ascend in both members, so the
// first cut that reaches the pane is the lowest.
func (t *Table) cutOf(pane int64) uint64 {
	for _, c := range t.cuts {
		if c.Pane >= pane {
			return c.Hash
		}
	}
	return math.MaxUint64
}

// CutTo returns the cut of all panes so far that keeps the URLs of smallest hash whose
// costs together are at most total. O(n log n).
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

// Copy copies the entries kept by the cuts into a new table over an empty list. The new
// table uses no more memory than needed. All copied URLs count as changed. Unsaved entries
// stay unsaved.
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
	for _, e := range slices.Backward(chain) { // the newest entry becomes the first again
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

// intern adds a URL to the list.
func (t *Table) intern(url []byte) uint32 {
	id, added := t.urls.Intern(url)
	if added {
		tokens := dust.CountTokens(url)
		t.cost += budget.Cost(len(url), tokens)
		t.tokens += int64(tokens)
	}
	return id
}

// Release removes from the list a URL that has left the window.
func (t *Table) Release(id uint32) {
	text := t.urls.Text(id)
	t.cost -= budget.Cost(len(text), dust.CountTokens(text))
	t.urls.Release(id)
}

// Cost returns the sum of the costs of the URLs in the list.
func (t *Table) Cost() int64 { return t.cost }

// Tokens returns the number of tokens of all URLs ever added to the list.
func (t *Table) Tokens() int64 { return t.tokens }

// Enrolled returns how many times so far a URL was added to a pane.
func (t *Table) Enrolled() int { return t.enrolled }

// Len returns the number of URLs in the window.
func (t *Table) Len() int { return t.urls.Len() - t.gone }

// Bytes returns the memory of the table without the list of URLs. O(panes).
func (t *Table) Bytes() int64 {
	n := cap(t.heads)*4 + cap(t.dirty) + cap(t.entries)*int(unsafe.Sizeof(entry{})) + (cap(t.changed)+cap(t.unsaved))*4
	for _, p := range t.state {
		n += cap(p.top) * int(unsafe.Sizeof(ranked{}))
	}
	return int64(n)
}
