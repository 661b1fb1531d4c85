package notes

import (
	"cmp"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/evidence"
)

// census counts the sizes of pages. A page counts with its first class.
type census struct {
	w     *Window
	sized counts
	sizes map[evidence.Span]counts // pages by exact size
}

// counts counts pages and the hits on them.
type counts struct{ urls, hits int64 }

func (c counts) plus(hits int64) counts { return counts{c.urls + 1, c.hits + hits} }

func newCensus(w *Window) *census {
	c := &census{w: w, sizes: map[evidence.Span]counts{}}
	for i := range w.Pages {
		first, ok := first(&w.Pages[i])
		if !ok {
			continue
		}
		c.sized = c.sized.plus(w.hits(i))
		if first.Min == first.Max {
			c.sizes[first] = c.sizes[first].plus(w.hits(i))
		}
	}
	return c
}

// first returns the sizes of a page in its first class.
func first(p *evidence.Page) (s evidence.Span, ok bool) {
	sizes := p.Evidence.Sizes()
	if len(sizes) == 0 {
		return s, false
	}
	return sizes[0], true
}

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
	s, ok := first(&c.w.Pages[page])
	return ok && isCrowd(c.sizes[s].urls, c.sized.urls)
}

// apart reports whether the sizes of a page are apart in some class.
func (w *Window) apart(page int) bool {
	for _, s := range w.Pages[page].Evidence.Sizes() {
		if (evidence.Similarity{Tolerance: w.Tolerance}).Apart(s) {
			return true
		}
	}
	return false
}

// of counts the pages with a size that have a property.
func (c *census) of(has func(page int) bool) (n counts) {
	for i := range c.w.Pages {
		if has(i) {
			n = n.plus(c.w.hits(i))
		}
	}
	return n
}

// shares returns the figures of the sizes.
func (c *census) shares() Shares {
	apart := c.of(c.w.apart)
	blurred := c.of(func(page int) bool { return c.crowded(page) || c.w.apart(page) })
	digests := c.of(func(page int) bool { _, ok := c.w.Pages[page].Evidence.Digest(); return ok })
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
	crowds := 0
	for span, n := range c.sizes {
		if !isCrowd(n.urls, c.sized.urls) {
			continue
		}
		crowds++
		all = counts{all.urls + n.urls, all.hits + n.hits}
		if c.most(n) && cmp.Or(cmp.Compare(n.urls, one.urls), cmp.Compare(size.Min, span.Min), cmp.Compare(size.Class, span.Class)) > 0 {
			size, one = span, n
		}
	}
	switch {
	case one.urls > 0:
		n := c.note(OneSize, one)
		n.Size = size.Min
		s.note(w, n, func(page int) bool { span, ok := first(&w.Pages[page]); return ok && span == size })
	case c.most(all):
		n := c.note(CrowdedSizes, all)
		n.Contents = crowds
		s.note(w, n, c.crowded)
	}
}

// apart notes that the sizes of most pages, or of the pages of most hits, are apart.
func (s *Site) apart(w *Window, c *census) {
	if apart := c.of(w.apart); c.most(apart) {
		n := c.note(SizesApart, apart)
		n.Tolerance = w.Tolerance
		s.note(w, n, w.apart)
	}
}

// encoding is the part of a class that tells the encoding. The rest of a class tells which
// bytes are counted.
const encoding = 7

// bytes notes what the sizes count, and that pages came in several encodings.
func (s *Site) bytes(w *Window) {
	var sized, headers, maybe, encoded, several int
	for i := range w.Pages {
		if len(w.Pages[i].Evidence.Sizes()) > 0 {
			sized++
		}
		if w.counts(i, weblog.SizeTotal) {
			headers++
		}
		if w.counts(i, weblog.SizeLengthOrTotal) {
			maybe++
		}
		switch n := w.encodings(i); {
		case n > 1:
			several++
			fallthrough
		case n > 0:
			encoded++
		}
	}
	if above(headers, sized) {
		s.note(w, Note{Kind: Headers, URLs: headers, Of: sized}, func(page int) bool { return w.counts(page, weblog.SizeTotal) })
	}
	if above(maybe, sized) {
		s.note(w, Note{Kind: MaybeHeaders, URLs: maybe, Of: sized}, func(page int) bool { return w.counts(page, weblog.SizeLengthOrTotal) })
	}
	if reaches(several, encoded, mixed) {
		s.note(w, Note{Kind: Encodings, URLs: several, Of: encoded}, func(page int) bool { return w.encodings(page) > 1 })
	}
}

// counts reports whether some size of a page has a meaning.
func (w *Window) counts(page int, size weblog.SizeCount) bool {
	for _, s := range w.Pages[page].Evidence.Sizes() {
		if s.Class&^encoding == size.Class() {
			return true
		}
	}
	return false
}

// encodings counts the known encodings of a page.
func (w *Window) encodings(page int) (known int) {
	var seen [encoding + 1]bool
	for _, s := range w.Pages[page].Evidence.Sizes() {
		if e := s.Class & encoding; e > weblog.ClassUnknown && !seen[e] {
			seen[e] = true
			known++
		}
	}
	return known
}
