package urllist

import (
	"cmp"
	"maps"
	"slices"
	"unsafe"

	"dustbuster/operators/window/evidence"
)

// Copy is the content of a list at one moment. Unlike the list, a Copy may be used by any
// goroutine.
type Copy struct{ list List }

// Copy copies the list. The copy shares the texts with the list: a text in a chunk never
// changes, and the list only appends to chunks. O(URLs), about 60 bytes each.
func (l *List) Copy() *Copy {
	return &Copy{List{urls: slices.Clone(l.urls), more: maps.Clone(l.more), chunks: slices.Clone(l.chunks)}}
}

// Clone returns a list with the same content that may be read by any goroutine, while the list goes on.
// It shares the texts with the list, as a Copy does. The clone takes in no URL. O(URLs), about 60 bytes
// each.
func (l *List) Clone() *List {
	c := &l.Copy().list
	c.seed, c.slots, c.free = l.seed, slices.Clone(l.slots), l.free
	return c
}

// Keep drops all URLs but the most URLs of smallest rank. O(n log n).
func (c *Copy) Keep(most int, rank func(url []byte) (page, hash uint64)) {
	type ranked struct {
		page, hash uint64
		id         uint32
	}
	var all []ranked
	for id := range c.list.All() {
		page, hash := rank(c.list.Text(id))
		all = append(all, ranked{page, hash, id})
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.hash, b.hash)) })
	for _, r := range all[min(most, len(all)):] {
		c.list.urls[r.id].live = false
	}
}

// Pages returns the URLs with their evidence, in byte order of the URLs. The pages share
// memory with the copy and must not be modified.
func (c *Copy) Pages() []evidence.Page { return c.list.Pages() }

// Pages returns the URLs with their evidence, in byte order of the URLs. The pages share memory
// with the list and must not be modified. The evidence is valid until the next SetEvidence.
func (l *List) Pages() []evidence.Page {
	n := 0
	for range l.All() {
		n++
	}
	pages := make([]evidence.Page, 0, n)
	for id := range l.All() {
		text := l.Text(id) // a text in a chunk never changes
		pages = append(pages, evidence.Page{URL: unsafe.String(unsafe.SliceData(text), len(text)), Evidence: l.Evidence(id), Number: id})
	}
	slices.SortFunc(pages, func(a, b evidence.Page) int { return cmp.Compare(a.URL, b.URL) })
	return pages
}
