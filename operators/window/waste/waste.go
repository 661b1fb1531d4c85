// Package waste tells what duplicates cost those who crawl a site. A crawler that asked for
// several URLs of one page, as the rules have it, asked for one of them only of need: the others
// were duplicates.
//
// For a family f of clients (package crawler) and a list of rules, U are the URLs of the window
// that f asked for, and F their canonical forms.
//
//	fetched = |U|     pages = |F|     waste = fetched - pages
//
// All crawlers known by name together count as one family: U are the URLs that any of them asked for.
//
// These are URLs and not requests, since a URL that is asked for twice is no duplicate. The bytes
// are those of U, less those of one URL of each form: of the smallest. The size of a URL is its
// smallest, in the class of answers that most URLs have. URLs without such a size have no bytes.
package waste

import (
	"cmp"
	"hash/maphash"
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

// Share returns the share of the URLs whose pages the clients had; 0 without URLs.
func (f Figure) Share() float64 { return float64(f.Waste()) / float64(max(f.Fetched, 1)) }

// Add adds what other clients asked for, or the same clients elsewhere.
func (f *Figure) Add(g Figure) {
	f.Fetched, f.Pages, f.Bytes = f.Fetched+g.Fetched, f.Pages+g.Pages, f.Bytes+g.Bytes
}

// Union is the place, in a Waste, of the URLs that any crawler known by name asked for. It is no bit.
const Union = 32

// Waste is the figures of all families, by their bits, and of Union.
type Waste [Union + 1]Figure

// Add adds the figures of another site.
func (w *Waste) Add(v *Waste) {
	for bit := range w {
		w[bit].Add(v[bit])
	}
}

// Crawlers returns the figures of all named crawlers together. A URL that two of them asked for counts once, and
// so does a page.
func (w *Waste) Crawlers() Figure { return w[Union] }

// Most returns the bit of the named crawler with the most waste, the first of several; false if
// there is no waste.
func (w *Waste) Most() (most int, ok bool) {
	for bit, f := range w[:Union] {
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

	All Figure // of all clients together, where the log has no user agents

	Caught   int // of the URLs that named crawlers asked for: those of pages that the site gives for any name, which are one form of a site
	Contents int // of these pages
}

// Who are the clients that a sentence on waste is about.
type Who int

// The clients, from the most telling: the sentence is about the first that fetched a URL.
const (
	Everyone Who = iota // the log has no user agents
	Visitors            // no robot is known
	Robots              // no crawler is known by name
	Crawlers            // all that are known by name
)

// Mask returns the bits of the clients; 0 for Everyone.
func (w Who) Mask() uint32 { return [...]uint32{0, 1, 2, crawler.Named}[w] }

// Who returns the clients that the sentence is about, and their figure.
func (t *Told) Who() (Who, Figure) {
	switch {
	case t.Crawlers().Fetched > 0:
		return Crawlers, t.Crawlers()
	case t.Waste[1].Fetched > 0:
		return Robots, t.Waste[1]
	case t.Waste[0].Fetched > 0:
		return Visitors, t.Waste[0]
	}
	return Everyone, t.All
}

// Add adds the waste of another site.
func (t *Told) Add(u *Told) {
	t.Waste.Add(&u.Waste)
	t.All.Add(u.All)
	t.Valid, t.Likely, t.Sample = t.Valid+u.Valid, t.Likely+u.Likely, t.Sample || u.Sample
	t.Caught, t.Contents = t.Caught+u.Caught, t.Contents+u.Contents
}

// Forms are the pages of a window, by their canonical forms under a list of rules.
type Forms struct {
	pages   []evidence.Page
	class   uint8    // of the sizes
	alone   []uint32 // pages whose forms no other page has
	members []member // the other pages, form by form
	seed    maphash.Seed
	caught  func(page int) bool // nil: no page is
}

// member is a page of a form, which has a number.
type member struct{ form, page uint32 }

func (m member) compare(n member) int {
	return cmp.Or(cmp.Compare(m.form, n.form), cmp.Compare(m.page, n.page))
}

// FormsOf returns the forms of pages. caught reports whether a page is one that the site gives for any name: all these are
// one form, and so is what the rules turn into the URL of one; nil: no page is. O(bytes of the URLs), and memory for the URLs
// that the rules change.
func FormsOf(pages []evidence.Page, c *canon.Canonizer, caught func(page int) bool) *Forms {
	f := &Forms{pages: pages, class: CommonClass(pages), alone: make([]uint32, 0, len(pages)), seed: maphash.MakeSeed()}
	changed, forms := f.change(c)
	changed = f.catch(changed, forms, caught)
	for page := range pages {
		if len(changed) > 0 && changed[0].page == uint32(page) {
			f.members = append(f.members, changed[0])
			changed = changed[1:]
		} else if form, shared := forms[maphash.String(f.seed, pages[page].URL)]; shared {
			f.members = append(f.members, member{form, uint32(page)})
		} else {
			f.alone = append(f.alone, uint32(page))
		}
	}
	slices.SortFunc(f.members, member.compare)
	return f
}

// catch joins the pages that a site gives for any name in a form of their own, with those that the rules lead to them.
func (f *Forms) catch(changed []member, forms map[uint64]uint32, caught func(page int) bool) []member {
	if caught == nil {
		return changed
	}
	one, into, all := uint32(len(forms)), map[uint32]bool{}, []member(nil)
	for page := range f.pages {
		if !caught(page) {
			continue
		}
		all = append(all, member{one, uint32(page)})
		if form, shared := forms[maphash.String(f.seed, f.pages[page].URL)]; shared {
			into[form] = true
		}
	}
	for _, m := range changed {
		switch {
		case caught(int(m.page)):
			continue
		case into[m.form]:
			m.form = one
		}
		all = append(all, m)
	}
	f.caught = caught
	slices.SortFunc(all, func(m, n member) int { return cmp.Compare(m.page, n.page) })
	return all
}

// Caught returns the number of pages that the site gives for any name, of those that a named crawler asked for.
func (f *Forms) Caught(families func(page int) uint32) (n int) {
	if f.caught == nil {
		return 0
	}
	for page := range f.pages {
		if f.caught(page) && families(page)&crawler.Named != 0 {
			n++
		}
	}
	return n
}

// change finds the pages that a canonizer changes, and returns the numbers of their forms by their hashes. Two of n
// forms are confused with a probability of n² / 2⁶⁵.
func (f *Forms) change(c *canon.Canonizer) (changed []member, forms map[uint64]uint32) {
	forms = map[uint64]uint32{}
	var url, buf []byte
	for page := range f.pages {
		url = append(url[:0], f.pages[page].URL...)
		out, end := c.Canon(buf, url)
		if !end.Changed() {
			continue
		}
		buf = out
		hash := maphash.Bytes(f.seed, out)
		form, known := forms[hash]
		if !known {
			form = uint32(len(forms))
			forms[hash] = form
		}
		changed = append(changed, member{form, uint32(page)})
	}
	return changed, forms
}

// Waste returns the waste of the pages. families returns the mask of a page, by its place. O(pages).
func (f *Forms) Waste(families func(page int) uint32) *Waste {
	w := &Waste{}
	for _, page := range f.alone {
		if mask := families(int(page)); mask != 0 {
			f.addForm(w, families, member{0, page})
		}
	}
	for rest := f.members; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].form == rest[0].form {
			n++
		}
		f.addForm(w, families, rest[:n]...)
		rest = rest[n:]
	}
	return w
}

func (f *Forms) addForm(w *Waste, families func(page int) uint32, of ...member) {
	var all uint64
	var smallest [Union + 1]int64
	for _, m := range of {
		size, sized := sizeOf(f.pages[m.page].Evidence, f.class)
		for mask := withUnion(families(int(m.page))); mask != 0; mask &= mask - 1 {
			bit := bits.TrailingZeros64(mask)
			to := &w[bit]
			if all&(1<<bit) == 0 {
				all |= 1 << bit
				smallest[bit] = math.MaxInt64
				to.Pages++
			}
			to.Fetched++
			if sized {
				to.Bytes += size
				smallest[bit] = min(smallest[bit], size)
			}
		}
	}
	for ; all != 0; all &= all - 1 {
		if bit := bits.TrailingZeros64(all); smallest[bit] < math.MaxInt64 {
			w[bit].Bytes -= smallest[bit]
		}
	}
}

// withUnion returns a mask of families with the bit of Union, if a named crawler is among them.
func withUnion(families uint32) uint64 {
	mask := uint64(families)
	if families&crawler.Named != 0 {
		mask |= 1 << Union
	}
	return mask
}

// Visit says that clients of some families asked for a URL on a day, perhaps besides others.
type Visit struct {
	Date     int64  // days since 1970-01-01
	URL      uint32 // its number
	Families uint32 // a mask
}

// ByDay returns the waste of each of the newest MostDays days. The visits are in the order of their
// dates. O(pages, and sorting of the visits of each day).
func (f *Forms) ByDay(visits []Visit) (days []Day) {
	if len(visits) == 0 {
		return nil
	}
	places := f.places()
	forms := make([]uint32, len(f.pages)) // by page: the form + 1, or 0 if no other page has it
	for _, m := range f.members {
		forms[m.page] = m.form + 1
	}
	masks := make([]uint32, len(f.pages))
	families := func(page int) uint32 { return masks[page] }
	var asked []member // for on the day
	for len(visits) > 0 {
		date, w := visits[0].Date, &Waste{}
		for ; len(visits) > 0 && visits[0].Date == date; visits = visits[1:] {
			v := &visits[0]
			if int(v.URL) >= len(places) || places[v.URL] == 0 || v.Families == 0 {
				continue
			}
			page := places[v.URL] - 1
			if masks[page] == 0 {
				asked = append(asked, member{forms[page], page})
			}
			masks[page] |= v.Families
		}
		slices.SortFunc(asked, member.compare)
		for rest := asked; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[0].form > 0 && rest[n].form == rest[0].form {
				n++
			}
			f.addForm(w, families, rest[:n]...)
			rest = rest[n:]
		}
		days = append(days, Day{Date: date, Crawlers: w.Crawlers(), By: PartsOf(w), Robots: w[1]})
		for _, m := range asked {
			masks[m.page] = 0
		}
		asked = asked[:0]
	}
	return days[max(0, len(days)-MostDays):]
}

// places returns the place of each page + 1 by the number of its URL.
func (f *Forms) places() (places []uint32) {
	for page := range f.pages {
		n := int(f.pages[page].Number)
		if n >= len(places) {
			places = append(places, make([]uint32, n+1-len(places))...)
		}
		places[n] = uint32(page) + 1
	}
	return places
}

// Smallest returns the smallest size of a page in a class; false: it has none.
func Smallest(p *evidence.Page, class uint8) (size int64, ok bool) { return sizeOf(p.Evidence, class) }

// sizeOf returns the smallest size of a page in a class.
func sizeOf(e evidence.Spans, class uint8) (size int64, ok bool) {
	for _, s := range e {
		if s.Class == class {
			return s.Min, true
		}
	}
	return 0, false
}

// CommonClass returns the class in which the most pages have sizes, the least of several.
func CommonClass(pages []evidence.Page) (most uint8) {
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
