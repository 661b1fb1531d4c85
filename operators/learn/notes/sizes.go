package notes

import (
	"cmp"
	"math"
	"slices"

	"dustbuster/operators/window/evidence"
)

// Sizes is the distribution of the sizes of a site's pages.
type Sizes struct {
	Pages   int      // with a size
	Without int      // pages without a size
	Digests int      // pages with a digest of their content
	Columns []Column // in the order of sizes, each of the same ratio of sizes; none without pages
	Crowd   int      // pages of crowded sizes
}

// Column counts the pages of a range of sizes, From <= size < To.
type Column struct {
	From, To int64 // bytes
	Pages    int
	Crowd    int // of these, pages of crowded sizes
}

// columns is the greatest number of columns.
const columns = 48

// SizesOf returns the distribution of the sizes of pages. A page counts with its smallest size
// in its first class. O(pages log pages).
func SizesOf(pages []evidence.Page) (s Sizes) {
	var sizes []evidence.Span
	for i := range pages {
		e := pages[i].Evidence
		if e.HasDigest() {
			s.Digests++
		}
		if e = e.Sizes(); len(e) == 0 {
			s.Without++
			continue
		}
		sizes = append(sizes, e[0])
	}
	s.Pages = len(sizes)
	slices.SortFunc(sizes, func(a, b evidence.Span) int { return cmp.Or(cmp.Compare(a.Min, b.Min), cmp.Compare(a.Class, b.Class)) })
	s.columns(sizes)
	s.fill(sizes)
	return s
}

// columns makes empty columns for sizes in ascending order.
func (s *Sizes) columns(sizes []evidence.Span) {
	if len(sizes) == 0 {
		return
	}
	low, high := max(1, sizes[0].Min), sizes[len(sizes)-1].Min
	ratio := math.Pow(float64(high+1)/float64(low), 1./columns)
	from := sizes[0].Min
	for i := range columns {
		to := int64(math.Ceil(float64(low) * math.Pow(ratio, float64(i+1))))
		if i == columns-1 {
			to = high + 1
		}
		if to > from {
			s.Columns = append(s.Columns, Column{From: from, To: to})
			from = to
		}
	}
}

// fill counts pages, in ascending order of their sizes.
func (s *Sizes) fill(sizes []evidence.Span) {
	column := 0
	for start := 0; start < len(sizes); {
		first, end, exact := sizes[start], start, 0 // exact: pages that always had the size
		for ; end < len(sizes) && sizes[end].Min == first.Min && sizes[end].Class == first.Class; end++ {
			if sizes[end].Min == sizes[end].Max {
				exact++
			}
		}
		for s.Columns[column].To <= first.Min {
			column++
		}
		c := &s.Columns[column]
		c.Pages += end - start
		if isCrowd(int64(exact), int64(len(sizes))) {
			c.Crowd, s.Crowd = c.Crowd+exact, s.Crowd+exact
		}
		start = end
	}
}
