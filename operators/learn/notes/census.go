package notes

import (
	"cmp"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/evidence"
)

// census is what the evidence of the pages says, and how many pages share a size. A page counts with
// its first class. The evidence is read once: that of a million pages is not in the cache.
type census struct {
	w     *Window
	pages []page
	spans []evidence.Span // by number: a size or a digest
	exact []counts        // by number: the pages of exactly this size
	sized counts
}

// page is what the evidence of a page says.
type page struct {
	size    uint32 // the number of its size in its first class; 0: none, or several
	content uint32 // the number of its digest or only size; 0: none, or several
	is      property
}

// property is a set of properties of a page.
type property uint8

const (
	hasSize      property = 1 << iota
	hasDigest             // one
	isApart               // its sizes in some class are
	total                 // some size includes headers
	maybeTotal            // some size may
	encoded               // the encoding of some size is known
	encodedTwice          // in several encodings
)

// counts counts pages and the hits on them.
type counts struct{ urls, hits int64 }

func (c counts) plus(hits int64) counts { return counts{c.urls + 1, c.hits + hits} }

func newCensus(w *Window) *census {
	c := &census{w: w, pages: make([]page, len(w.Pages)), spans: make([]evidence.Span, 1), exact: make([]counts, 1)}
	numbers := map[evidence.Span]uint32{}
	for i := range w.Pages {
		e, p := w.Pages[i].Evidence, &c.pages[i]
		sizes := e.Sizes()
		p.is = w.properties(sizes)
		if len(sizes) > 0 {
			c.sized = c.sized.plus(w.hits(i))
		}
		if len(sizes) > 0 && sizes[0].Min == sizes[0].Max {
			p.size = c.number(numbers, sizes[0])
			c.exact[p.size] = c.exact[p.size].plus(w.hits(i))
		}
		if d, ok := e.Digest(); ok {
			p.is |= hasDigest
			p.content = c.number(numbers, evidence.Span{Min: d, Max: d, Class: evidence.Digest})
		} else if len(e) == 1 {
			p.content = p.size
		}
	}
	return c
}

// number returns the number of a size or digest.
func (c *census) number(numbers map[evidence.Span]uint32, s evidence.Span) uint32 {
	n, known := numbers[s]
	if !known {
		n = uint32(len(c.spans))
		numbers[s] = n
		c.spans, c.exact = append(c.spans, s), append(c.exact, counts{})
	}
	return n
}

// encoding is the part of a class that tells the encoding. The rest of a class tells which
// bytes are counted.
const encoding = 7

// properties returns the properties of the sizes of a page.
func (w *Window) properties(sizes evidence.Spans) (is property) {
	encodings := 0 // bits
	for _, s := range sizes {
		is |= hasSize
		if (evidence.Similarity{Tolerance: w.Tolerance}).Apart(s) {
			is |= isApart
		}
		switch s.Class &^ encoding {
		case weblog.SizeTotal.Class():
			is |= total
		case weblog.SizeLengthOrTotal.Class():
			is |= maybeTotal
		}
		if e := s.Class & encoding; e > weblog.ClassUnknown {
			encodings |= 1 << e
		}
	}
	if encodings != 0 {
		is |= encoded
	}
	if encodings&(encodings-1) != 0 {
		is |= encodedTwice
	}
	return is
}

// has reports whether a page has one of some properties.
func (c *census) has(page int, some property) bool { return c.pages[page].is&some != 0 }

// A size is crowded if at least ten pages and one page in a hundred have exactly this size,
// in one class of answers.
const (
	crowd      = 10
	crowdShare = 100
)

// isCrowd reports whether n of some pages are a crowd.
func isCrowd(n, of int64) bool { return n >= crowd && n*crowdShare >= of }

// crowded reports whether the size of a page is crowded.
func (c *census) crowded(page int) bool {
	return isCrowd(c.exact[c.pages[page].size].urls, c.sized.urls)
}

// of counts the pages that have a property.
func (c *census) of(has func(page int) bool) (n counts) {
	for i := range c.pages {
		if has(i) {
			n = n.plus(c.w.hits(i))
		}
	}
	return n
}

func (c *census) apart(page int) bool { return c.has(page, isApart) }

// shares returns the figures of the sizes.
func (c *census) shares() Shares {
	apart := c.of(c.apart)
	blurred := c.of(func(page int) bool { return c.crowded(page) || c.apart(page) })
	digests := c.of(func(page int) bool { return c.has(page, hasDigest) })
	return Shares{
		Tolerance: c.w.Tolerance, URLs: c.sized.urls, Hits: c.sized.hits,
		Crowd: c.of(c.crowded).urls, Apart: apart.urls, ApartHits: apart.hits, Blurred: blurred.urls, BlurHits: blurred.hits, Digests: digests.urls,
	}
}

// most reports whether most pages, or most hits, are among some pages.
func (c *census) most(n counts) bool {
	return above(n.urls, c.sized.urls) || above(n.hits, c.sized.hits)
}

// note returns a note on pages with a size.
func (c *census) note(kind Kind, n counts) Note {
	return Note{Kind: kind, URLs: int(n.urls), Of: int(c.sized.urls), Hits: n.hits, OfHits: c.sized.hits}
}

// sizes notes one size of most pages, or else that most pages have crowded sizes. Most hits on a
// size count if the size is crowded: a front page has most hits on many sites.
func (s *Site) sizes(w *Window, c *census) {
	var size evidence.Span
	var one, all counts
	number, crowds := 0, 0
	for i, n := range c.exact {
		if !isCrowd(n.urls, c.sized.urls) {
			continue
		}
		crowds++
		all = counts{all.urls + n.urls, all.hits + n.hits}
		span := c.spans[i]
		if c.most(n) && cmp.Or(cmp.Compare(n.urls, one.urls), cmp.Compare(size.Min, span.Min), cmp.Compare(size.Class, span.Class)) > 0 {
			number, size, one = i, span, n
		}
	}
	switch {
	case one.urls > 0:
		n := c.note(OneSize, one)
		n.Size = size.Min
		s.note(w, n, func(page int) bool { return c.pages[page].size == uint32(number) })
	case c.most(all):
		n := c.note(CrowdedSizes, all)
		n.Contents = crowds
		s.note(w, n, c.crowded)
	}
}

// apart notes that the sizes of most pages, or of the pages of most hits, are apart.
func (s *Site) apart(w *Window, c *census) {
	if apart := c.of(c.apart); c.most(apart) {
		n := c.note(SizesApart, apart)
		n.Tolerance = w.Tolerance
		s.note(w, n, c.apart)
	}
}

// bytes notes what the sizes count, and that pages came in several encodings.
func (s *Site) bytes(w *Window, c *census) {
	of := func(some property) (urls int, has func(page int) bool) {
		has = func(page int) bool { return c.has(page, some) }
		return int(c.of(has).urls), has
	}
	sized := int(c.sized.urls)
	if n, has := of(total); above(n, sized) {
		s.note(w, Note{Kind: Headers, URLs: n, Of: sized}, has)
	}
	if n, has := of(maybeTotal); above(n, sized) {
		s.note(w, Note{Kind: MaybeHeaders, URLs: n, Of: sized}, has)
	}
	known, _ := of(encoded)
	if n, has := of(encodedTwice); reaches(n, known, mixed) {
		s.note(w, Note{Kind: Encodings, URLs: n, Of: known}, has)
	}
}
