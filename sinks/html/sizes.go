package html

import (
	"fmt"

	"dustbuster/operators/learn/notes"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// sizes is the distribution of the sizes of a site's pages as it is shown.
type sizes struct {
	Picture page.Histogram
	Pages   int
	Without int // pages without a size
	Digests int // pages with a digest
}

func (b *builder) sizes() sizes {
	d := notes.SizesOf(b.reach.Pages())
	return sizes{Pages: d.Pages, Without: d.Without, Digests: d.Digests, Picture: histogram(&d)}
}

func histogram(d *notes.Sizes) page.Histogram {
	h := page.Histogram{Title: "URLs by the size of their page"}
	if len(d.Columns) == 0 {
		return h
	}
	first, last := d.Columns[0].From, d.Columns[len(d.Columns)-1].To-1
	h.Desc = fmt.Sprintf("%s from %s to %s, on a logarithmic scale. %s share their size with many others.",
		page.Count(d.Pages, "URL"), text.Size(first), text.Size(last), page.Count(d.Crowd, "URL"))
	for _, c := range d.Columns {
		words := fmt.Sprintf("%s to %s: %s", text.Size(c.From), text.Size(c.To-1), page.Count(c.Pages, "URL"))
		if c.Crowd > 0 {
			words += fmt.Sprintf(", %s of common sizes", page.Number(c.Crowd))
		}
		h.Columns = append(h.Columns, page.Column{Text: words, Parts: []page.Stack{{Tone: page.Kept, Count: c.Pages - c.Crowd}, {Tone: page.Dust, Count: c.Crowd}}})
	}
	h.Axis = axis(d.Columns)
	h.Legend = []page.Key{{Tone: page.Kept, Text: "sizes of few URLs"}, {Tone: page.Dust, Text: "sizes that many URLs share"}}
	return h
}

// axis returns the sizes at the ends and between them.
func axis(columns []notes.Column) []string {
	n := len(columns)
	words := []string{text.Size(columns[0].From)}
	if n > 2 {
		words = append(words, text.Size(columns[n/2].From))
	}
	return append(words, text.Size(columns[n-1].To-1))
}
