package urllist

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/evidence"
)

// Copy is the content of a list at one moment. Unlike the list, a Copy may be used by any
// goroutine.
type Copy struct{ list List }

// Copy copies the list. The copy shares the texts with the list: a text in a chunk never
// changes, and the list only appends to chunks. O(URLs), about 60 bytes each.
func (l *List) Copy() *Copy {
	return &Copy{List{urls: slices.Clone(l.urls), more: maps.Clone(l.more), chunks: slices.Clone(l.chunks)}}
}

// Pages returns the URLs with their evidence, in byte order of the URLs. The pages share
// the evidence with the copy and must not be modified.
func (c *Copy) Pages() []evidence.Page {
	var pages []evidence.Page
	var text strings.Builder // one block of memory for all URLs
	size := 0
	for i := range c.list.urls {
		size += int(c.list.urls[i].size)
	}
	text.Grow(size)
	for id := range c.list.All() {
		at := text.Len()
		text.Write(c.list.Text(id))
		pages = append(pages, evidence.Page{URL: text.String()[at:], Evidence: c.list.Evidence(id)})
	}
	slices.SortFunc(pages, func(a, b evidence.Page) int { return cmp.Compare(a.URL, b.URL) })
	return pages
}
