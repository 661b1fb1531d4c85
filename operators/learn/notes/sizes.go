package notes

import (
	"cmp"
	"math"
	"slices"

	"dustbuster/operators/window/evidence"
)

// Sizes is the distribution of the sizes of a site's pages.
type Sizes struct {
	Pages   int       // with a size
	Without int       // pages without a size
	Digests int       // pages with a digest of their content
	Columns []Column  // in the order of sizes, each of the same ratio of sizes; none without pages
	Crowded []Crowded // the sizes that many pages share, most pages first
	Crowd   int       // pages of crowded sizes
}

// Column counts the pages of a range of sizes, From <= size < To.
type Column struct {
	From, To int64 // bytes
	Pages    int
	Crowd    int // of these, pages of crowded sizes
}

// Crowded is a size that many pages share. The size does not tell these pages apart.
type Crowded struct {
	Size  int64 // bytes
	Pages int
	URL   string // of the first page
}

// columns is the greatest number of columns.
const columns = 48

// SizesOf returns the distribution of the sizes of pages. A page counts with its smallest size
// in its first class. O(pages log pages).
func SizesOf(pages []evidence.Page) (s Sizes) {
	var sizes []sized
	for i := range pages {
		e := pages[i].Evidence
		if e.HasDigest() {
			s.Digests++
		}
		if e = e.Sizes(); len(e) == 0 {
			s.Without++
			continue
		}
		sizes = append(sizes, sized{e[0], pages[i].URL})
	}
	s.Pages = len(sizes)
	slices.SortFunc(sizes, func(a, b sized) int {
		return cmp.Or(cmp.Compare(a.Min, b.Min), cmp.Compare(a.Class, b.Class), cmp.Compare(a.url, b.url))
	})
	s.columns(sizes)
	s.fill(sizes)
	return s
}

// sized is a page with its size.
type sized struct {
	evidence.Span
	url string
}

// exact reports whether the page always had the size.
func (p *sized) exact() bool { return p.Min == p.Max }

// columns makes empty columns for sizes in ascending order.
func (s *Sizes) columns(sizes []sized) {
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
func (s *Sizes) fill(sizes []sized) {
	column := 0
	for start := 0; start < len(sizes); {
		first, end := sizes[start], start
		var exact []sized
		for ; end < len(sizes) && sizes[end].Min == first.Min && sizes[end].Class == first.Class; end++ {
			if sizes[end].exact() {
				exact = append(exact, sizes[end])
			}
		}
		for s.Columns[column].To <= first.Min {
			column++
		}
		c, n := &s.Columns[column], len(exact)
		c.Pages += end - start
		if isCrowd(int64(n), int64(len(sizes))) {
			c.Crowd, s.Crowd = c.Crowd+n, s.Crowd+n
			s.Crowded = append(s.Crowded, Crowded{first.Min, n, exact[0].url})
		}
		start = end
	}
	slices.SortStableFunc(s.Crowded, func(a, b Crowded) int { return cmp.Compare(b.Pages, a.Pages) })
}
