// Package waste tells what duplicates cost those who crawl a site. A crawler that asked for
// several URLs of one page, as the rules have it, asked for one of them only of need: the others
// were pages it had.
//
// For a family f of clients (package crawler) and a list of rules, U are the URLs of the window
// that f asked for, and F their canonical forms.
//
//	fetched = |U|     pages = |F|     waste = fetched - pages
//
// These are URLs and not requests, since a URL that is asked for twice is no duplicate. The bytes
// are those of U, less those of one URL of each form: of the smallest. The size of a URL is its
// smallest, in the class of answers that most URLs have. URLs without such a size have no bytes.
package waste

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// Figure is what some clients asked for.
type Figure struct {
	Fetched int   `json:"fetched"` // URLs
	Pages   int   `json:"pages"`   // canonical forms of these URLs
	Bytes   int64 `json:"bytes"`   // of the URLs, less one for each form
}

// Waste returns the number of URLs whose pages the clients had.
func (f Figure) Waste() int { return f.Fetched - f.Pages }

func (f *Figure) add(g Figure) {
	f.Fetched, f.Pages, f.Bytes = f.Fetched+g.Fetched, f.Pages+g.Pages, f.Bytes+g.Bytes
}

// Waste is the figures of all families, by their bits.
type Waste [32]Figure

// Add adds the figures of another site.
func (w *Waste) Add(v *Waste) {
	for bit := range w {
		w[bit].add(v[bit])
	}
}

// Crawlers returns the sums over the named crawlers. A URL that two of them asked for counts twice.
func (w *Waste) Crawlers() (all Figure) {
	for bit, f := range w {
		if crawler.Named&(1<<bit) != 0 {
			all.add(f)
		}
	}
	return all
}

// Most returns the bit of the named crawler with the most waste, the first of several; false if
// there is no waste.
func (w *Waste) Most() (most int, ok bool) {
	for bit, f := range w {
		if crawler.Named&(1<<bit) != 0 && f.Waste() > 0 && (!ok || f.Waste() > w[most].Waste()) {
			most, ok = bit, true
		}
	}
	return most, ok
}

// Agents reports whether any URL was asked for by a client with a user agent.
func (w *Waste) Agents() bool {
	return slices.ContainsFunc(w[:], func(f Figure) bool { return f.Fetched > 0 })
}

// Told is the waste of a site, or of several, and what it was found by.
type Told struct {
	Waste
	Valid  int  // valid rules that were applied
	Likely int  // likely rules that were applied to sites without valid rules
	Sample bool // some URLs were left out
}

// Add adds the waste of another site.
func (t *Told) Add(u *Told) {
	t.Waste.Add(&u.Waste)
	t.Valid, t.Likely, t.Sample = t.Valid+u.Valid, t.Likely+u.Likely, t.Sample || u.Sample
}

// Of returns the waste of the pages of a window. families returns the mask of a page, by its place.
// O(bytes of the URLs), and memory for the URLs that the rules change or lead to.
func Of(pages []evidence.Page, families func(page int) uint32, c *canon.Canonizer) *Waste {
	a := adder{pages: pages, families: families, class: commonClass(pages)}
	forms := a.change(c)
	for page := range pages {
		if len(a.changed) > 0 && a.changed[0].page == uint32(page) {
			a.members = append(a.members, a.changed[0])
			a.changed = a.changed[1:]
		} else if form, shared := forms[pages[page].URL]; shared {
			a.members = append(a.members, member{form, uint32(page)})
		} else {
			a.addForm(member{0, uint32(page)})
		}
	}
	slices.SortFunc(a.members, func(m, n member) int { return cmp.Or(cmp.Compare(m.form, n.form), cmp.Compare(m.page, n.page)) })
	for rest := a.members; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].form == rest[0].form {
			n++
		}
		a.addForm(rest[:n]...)
		rest = rest[n:]
	}
	return &a.waste
}

// adder adds up the waste, form by form.
type adder struct {
	pages    []evidence.Page
	families func(page int) uint32
	class    uint8    // of the sizes
	changed  []member // pages that the rules change, in their order
	members  []member // of forms that a rule leads to
	waste    Waste
}

// member is a page of a form, which has a number.
type member struct{ form, page uint32 }

// change finds the pages that a canonizer changes, and returns the numbers of their forms.
func (a *adder) change(c *canon.Canonizer) (forms map[string]uint32) {
	forms = map[string]uint32{}
	var url, buf []byte
	for page := range a.pages {
		url = append(url[:0], a.pages[page].URL...)
		out, end := c.Canon(buf, url)
		if !end.Changed() {
			continue
		}
		buf = out
		form, known := forms[string(out)]
		if !known {
			form = uint32(len(forms))
			forms[string(out)] = form
		}
		a.changed = append(a.changed, member{form, uint32(page)})
	}
	return forms
}

// addForm adds the pages of one form.
func (a *adder) addForm(of ...member) {
	var all uint32
	var smallest [32]int64
	for _, m := range of {
		size, sized := sizeOf(a.pages[m.page].Evidence, a.class)
		for mask := a.families(int(m.page)); mask != 0; mask &= mask - 1 {
			bit := bits.TrailingZeros32(mask)
			f := &a.waste[bit]
			if all&(1<<bit) == 0 {
				all |= 1 << bit
				smallest[bit] = math.MaxInt64
				f.Pages++
			}
			f.Fetched++
			if sized {
				f.Bytes += size
				smallest[bit] = min(smallest[bit], size)
			}
		}
	}
	for ; all != 0; all &= all - 1 {
		if bit := bits.TrailingZeros32(all); smallest[bit] < math.MaxInt64 {
			a.waste[bit].Bytes -= smallest[bit]
		}
	}
}

// sizeOf returns the smallest size of a page in a class.
func sizeOf(e evidence.Spans, class uint8) (size int64, ok bool) {
	for _, s := range e {
		if s.Class == class {
			return s.Min, true
		}
	}
	return 0, false
}

// commonClass returns the class in which the most pages have sizes, the least of several.
func commonClass(pages []evidence.Page) (most uint8) {
	var counts [256]int
	for i := range pages {
		for _, s := range pages[i].Evidence.Sizes() {
			counts[s.Class]++
		}
	}
	for class, n := range counts {
		if n > counts[most] {
			most = uint8(class)
		}
	}
	return most
}
