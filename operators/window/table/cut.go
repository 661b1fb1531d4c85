package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unsafe"

	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/budget"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Cut bounds the panes up to and including Pane: these panes keep no URL after the place
// (Key, URL), and no surplus of families. Cuts are acts, decided when memory is
// short. Given the cuts, the table is still a fold of the hits. The cuts of several owners
// are joined by taking all cuts.
type Cut struct {
	Pane int64  `json:"pane"`
	Key  uint64 `json:"key,string"` // hash of the page
	URL  uint64 `json:"url,string"` // hash of the URL
}

// compare orders cuts by the place up to which they keep URLs.
func (c Cut) compare(o Cut) int {
	return ranked{key: c.Key, url: c.URL}.compare(ranked{key: o.Key, url: o.URL})
}

func (c Cut) leavesOut(u ranked) bool { return u.compare(ranked{key: c.Key, url: c.URL}) > 0 }

// AddCut adds a cut, and reports whether it changes anything. URLs of the table that the cut
// leaves out may stay until Copy.
func (t *Table) AddCut(c Cut) (news bool) {
	if was, is := t.cutOf(c.Pane); c.Pane <= t.oldest() || is && was.compare(c) <= 0 {
		return false
	}
	t.cuts = slices.DeleteFunc(t.cuts, func(o Cut) bool { return o.Pane <= c.Pane && o.compare(c) >= 0 })
	at, _ := slices.BinarySearchFunc(t.cuts, c, func(a, b Cut) int { return cmp.Compare(a.Pane, b.Pane) })
	t.cuts = slices.Insert(t.cuts, at, c)
	for number, p := range t.state {
		if p.cut, p.isCut = t.cutOf(number); p.order != nil {
			t.trim(p)
		}
	}
	return true
}

// Cuts returns the cuts that hold for the window or for newer panes. Callers must not
// modify the result.
func (t *Table) Cuts() []Cut { return t.cuts }

// cutOf returns the lowest cut that reaches a pane, if there is one. The cuts ascend by pane
// and by place, so the lowest is the first.
func (t *Table) cutOf(pane int64) (c Cut, is bool) {
	for _, c := range t.cuts {
		if c.Pane >= pane {
			return c, true
		}
	}
	return Cut{}, false
}

// priced is a URL with its memory cost.
type priced struct {
	ranked
	family uint64
	cost   int64
	stays  bool
}

// CutTo returns the cut of all panes so far that keeps the first places whose costs
// together are at most total. O(n · (log n + panes)).
func (t *Table) CutTo(total int64) Cut {
	all := make([]priced, 0, t.Len())
	for id := range t.heads {
		if t.heads[id] != 0 {
			text := t.urls.Text(uint32(id))
			family, u := t.ranked(uint32(id))
			all = append(all, priced{u, family, budget.Cost(len(text), dust.CountTokens(text)), false})
		}
	}
	slices.SortFunc(all, func(a, b priced) int { return a.compare(b.ranked) })
	for pane := range t.state {
		t.keepFamilies(all, pane)
	}
	c := Cut{Pane: t.newest}
	for _, u := range all {
		if !u.stays {
			continue
		}
		if total -= u.cost; total < 0 {
			break
		}
		c.Key, c.URL = u.key, u.url
	}
	return c
}

// keepFamilies notes which URLs a pane keeps without surplus. The URLs are in order.
func (t *Table) keepFamilies(all []priced, pane int64) {
	members := map[uint64]int{}
	for i := range all {
		if u := &all[i]; t.inPane(u.id, pane) {
			if members[u.family]++; members[u.family] <= FamilyURLs {
				u.stays = true
			}
		}
	}
}

// Copy copies the entries kept by the cuts into a new table over an empty list. The new
// table uses no more memory than needed. All copied URLs count as changed. Unsaved entries
// stay unsaved. Copy calls kept with the numbers of each copied URL in both tables.
func (t *Table) Copy(urls *urllist.List, kept func(from, to uint32)) *Table {
	c := New(t.o, urls)
	c.newest, c.cuts, c.separators = t.newest, t.cuts, t.separators
	c.joinLeft(t)
	for id := range t.heads {
		if t.heads[id] != 0 {
			if to, ok := c.copyURL(t, uint32(id)); ok {
				kept(uint32(id), to)
			}
		}
	}
	return c
}

func (t *Table) copyURL(from *Table, id uint32) (to uint32, ok bool) {
	text := from.urls.Text(id)
	var chain []entry
	for at := from.heads[id]; at != 0; at = from.entries[at-1].next {
		chain = append(chain, from.entries[at-1])
	}
	for _, e := range slices.Backward(chain) { // the newest entry becomes the first again
		p, _ := t.paneAt(from.number(&e))
		n, outcome := t.admit(p, text)
		if outcome == Shed {
			continue
		}
		if !ok && t.days != nil {
			t.days.Join(n, evidence.Span{}, from.days, id, from.only(id))
		}
		to, ok = n, true
		x := t.entry(to, p.number, e.class)
		e.next = x.next
		*x = e
		if e.unsaved {
			t.mark(to, inUnsaved, &t.unsaved)
		}
	}
	return to, ok
}

func (t *Table) intern(hash uint64, url []byte) uint32 {
	id, added := t.urls.InternHash(hash, url)
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
	more := int64(0)
	for _, p := range t.state {
		more += int64(cap(p.left.least)) * 8
		if p.order != nil {
			more += p.order.bytes(p.count)
		}
	}
	if t.days != nil {
		more += t.days.Bytes()
	}
	return int64(n) + more
}

// Clip gives back the room in which the table would grow. O(entries).
func (t *Table) Clip() {
	t.heads, t.dirty, t.entries = urllist.Clip(t.heads), urllist.Clip(t.dirty), urllist.Clip(t.entries)
	t.changed, t.unsaved = urllist.Clip(t.changed), urllist.Clip(t.unsaved)
}

// writtenCuts is the written form of the cuts of a site's window.
type writtenCuts struct {
	Version int   `json:"v"`
	Cuts    []Cut `json:"cuts"`
}

const cutsVersion = 2

// EncodeCuts returns the written form of the cuts of a window, one JSON object.
func EncodeCuts(cuts []Cut) []byte {
	b, err := json.Marshal(writtenCuts{cutsVersion, cuts})
	if err != nil {
		panic(err) // numbers have a form
	}
	return b
}

// DecodeCuts is the inverse of EncodeCuts.
func DecodeCuts(b []byte) ([]Cut, error) {
	var w writtenCuts
	if err := json.Unmarshal(b, &w); err != nil {
		return nil, fmt.Errorf("read cuts: %w", err)
	}
	if w.Version != cutsVersion {
		return nil, fmt.Errorf("read cuts: version %d, and this program knows %d", w.Version, cutsVersion)
	}
	return w.Cuts, nil
}
