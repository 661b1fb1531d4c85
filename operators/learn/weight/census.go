package weight

import (
	"math"
	"slices"
	"sort"

	"dustbuster/operators/window/evidence"
)

// census counts, of some pages, the pages that are similar to a page. The pages are divided
// by their classes; that of a double counts twice. Pages that share one class with the asked page take two binary searches.
// Pages that share several classes are compared one by one, at most 2,000 of them.
type census struct {
	*list
	digests map[int64]float64 // pages with this one digest
	parts   []part
}

// part is the pages that have sizes in the same classes, and all or none of which have one
// digest.
type part struct {
	classes  []uint8
	digested bool
	pages    float64
	ends     []ends // by class
	few      sample // of the pages, each paired with itself
}

// ends are the sizes of pages in one class, in ascending order.
type ends struct {
	one []int64 // of pages of one size
	max []int64 // of other pages: largest size
	low []int64 // largest size that is not too small for the page
}

// mostExact is the number up to which floats are exact, so that low ends are in the order of the sizes.
const mostExact = 1 << 53

func newCensus(l *list) *census { return &census{list: l, digests: map[int64]float64{}} }

func (c *census) reset() {
	clear(c.digests)
	c.parts = c.parts[:0]
}

// add adds a page. The pages with the smallest hashes are compared one by one.
func (c *census) add(id uint32, hash uint64) {
	e := c.evidence(id)
	d, digested := e.Digest()
	if digested {
		c.digests[d]++
	}
	p := c.part(e.Sizes(), digested)
	p.pages++
	for i, s := range e.Sizes() {
		if to := &p.ends[i]; s.Min == s.Max && s.Max <= mostExact {
			to.one = append(to.one, s.Max)
		} else {
			to.max, to.low = append(to.max, s.Max), append(to.low, c.low(s))
		}
	}
	if len(p.ends) > 1 || c.split != nil {
		p.few.add(pair{hash, id, id})
	}
}

func (c *census) part(sizes evidence.Spans, digested bool) *part {
	for i := range c.parts {
		if p := &c.parts[i]; p.digested == digested && slices.EqualFunc(p.classes, sizes, hasClass) {
			return p
		}
	}
	p := part{digested: digested, ends: make([]ends, len(sizes))}
	for _, s := range sizes {
		p.classes = append(p.classes, s.Class)
	}
	c.parts = append(c.parts, p)
	return &c.parts[len(c.parts)-1]
}

func hasClass(class uint8, s evidence.Span) bool { return class == s.Class }

// low returns the largest size that is not too small for a page.
func (c *census) low(s evidence.Span) int64 {
	return s.Min - int64(math.Floor(min(c.o.Similarity.Tolerance*float64(s.Max), 1<<62)))
}

// settle sorts the sizes after the last add.
func (c *census) settle() {
	for i := range c.parts {
		for _, e := range c.parts[i].ends {
			slices.Sort(e.one)
			slices.Sort(e.max)
			slices.Sort(e.low)
		}
		c.parts[i].few.settle()
	}
}

// count returns how many pages can be compared with a page, and how many of them are
// similar.
func (c *census) count(e evidence.Spans) (comparable, similar float64) {
	d, digested := e.Digest()
	if digested {
		similar = c.digests[d]
	}
	for i := range c.parts {
		p := &c.parts[i]
		if digested && p.digested {
			comparable += p.pages
			continue
		}
		n, s := c.inPart(p, e.Sizes())
		comparable += n
		similar += s
	}
	if c.o.Similarity.Off {
		return comparable, comparable
	}
	return comparable, similar
}

func (c *census) inPart(p *part, sizes evidence.Spans) (comparable, similar float64) {
	common := 0
	for i, class := range p.classes {
		for _, s := range sizes {
			if s.Class == class {
				common++
				similar = float64(c.near(&p.ends[i], s))
			}
		}
	}
	switch common {
	case 0:
		return 0, 0
	case 1:
		return p.pages, similar
	}
	return p.pages, p.pages * c.nearFew(&p.few, sizes)
}

// near returns the number of pages that are similar to a page in one class.
func (c *census) near(e *ends, s evidence.Span) int {
	low := c.low(s)
	tooSmall, _ := slices.BinarySearch(e.one, low)
	fits := sort.Search(len(e.one), func(i int) bool { return c.low(evidence.Span{Min: e.one[i], Max: e.one[i]}) > s.Max })
	alsoTooSmall, _ := slices.BinarySearch(e.max, low)
	alsoFits := sort.Search(len(e.low), func(i int) bool { return e.low[i] > s.Max })
	return fits - tooSmall + alsoFits - alsoTooSmall
}

// nearFew returns the share of similar pages in a sample.
func (c *census) nearFew(few *sample, sizes evidence.Spans) float64 {
	similar := 0
	for _, p := range few.pairs {
		if c.o.Similarity.Similar(sizes, c.evidence(p.u).Sizes()) {
			similar++
		}
	}
	return float64(similar) / float64(len(few.pairs))
}
