package miner

import (
	"iter"
	"slices"

	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
	"dustbuster/operators/window/waste"
)

// Effect is the effect of a rule on the URLs of the window.
type Effect struct {
	URLs int // URLs that the rule merges into another form of their pages

	// The following are a tally, and no fold: hits seen twice count twice. They are 0 without
	// Options.Tally.
	Hits   int64 // on these URLs
	Bytes  int64 // sent for these URLs
	Stayed int64 // hits on the listed URLs into which the URLs are merged
}

// Reach finds the effects of rules on the URLs of one window. A Reach belongs to one
// goroutine.
type Reach struct {
	pages   []evidence.Page // in byte order of their URLs
	index   *search.Index   // of the URLs; nil: not made yet
	numbers *search.Numbers // of the URLs
	tallies tallies         // by the number of the URL
	o       *Options
	window  *Machine // of the pages; nil: only the pages are known

	weigher *weight.Weigher // nil: not made yet
	notes   *notes.Site     // nil: not made yet
}

// Reach returns the Reach of the window, which is valid until the next Fold. O(bytes of all URLs).
func (m *Machine) Reach() *Reach {
	pages := m.pages()
	return m.reach(pages, numbersOf(pages))
}

func (m *Machine) reach(pages []evidence.Page, numbers *search.Numbers) *Reach {
	return &Reach{pages: pages, o: m.o, numbers: numbers, tallies: m.tally, window: m}
}

// search returns the index of the URLs. A window without rules needs none.
func (a *Reach) search() *search.Index {
	if a.index == nil {
		a.index = search.New(len(a.pages), func(n int) string { return a.pages[n].URL })
	}
	return a.index
}

// Effect returns the effect of a rule. O(URLs that hold the rarest token of the rule).
func (a *Reach) Effect(r *rule.Rule) Effect {
	x := effects{reach: a}
	lookups := a.numbers.Lookups()
	var urls []int // whose forms are in lookups
	find := func() {
		lookups.Find(func(place, to int, hash uint64, listed bool) { x.Change(urls[place], to, hash, listed) })
		urls = urls[:0]
	}
	for n, form := range a.changed(r) {
		lookups.Add(form)
		if urls = append(urls, n); len(urls) == search.Together {
			find()
		}
	}
	find()
	return x.end()
}

// changed yields the pages that a rule changes, in their order, each with its form, which is valid until the next.
func (a *Reach) changed(r *rule.Rule) iter.Seq2[int, []byte] {
	return func(yield func(page int, form []byte) bool) {
		var url, form []byte
		among, _ := a.search().MayChange(r)
		for n := range among {
			url = append(url[:0], a.pages[n].URL...)
			made, changed := r.Apply(form[:0], url)
			if changed && !yield(int(n), made) {
				return
			}
			form = made
		}
	}
}

// effects gathers the effect of one rule after the other.
type effects struct {
	reach  *Reach
	effect Effect
	into   []int            // listed forms, one for each URL that is merged into it
	forms  map[uint64]tally // of unlisted forms, by hash: the greatest tally so far, which stays
}

// Change adds the effect on one URL. Of the URLs that get one unlisted form, the URL with
// the most hits stays, of several such URLs the first.
func (x *effects) Change(url, form int, hash uint64, listed bool) {
	merged := x.reach.tally(url)
	if listed {
		x.into = append(x.into, form)
	} else if stays, seen := x.forms[hash]; !seen {
		if x.forms == nil {
			x.forms = map[uint64]tally{}
		}
		x.forms[hash] = merged
		return
	} else if merged.hits > stays.hits {
		x.forms[hash] = merged
		merged = stays
	}
	x.effect.URLs++
	x.effect.Hits += merged.hits
	x.effect.Bytes += merged.bytes
}

// fewForms is the number of forms whose map the next rule can reuse: to clear a map takes as long as it is large.
const fewForms = 256

// end returns the effect of a rule, all of whose URLs were added, and forgets them.
func (x *effects) end() Effect {
	e := x.effect
	slices.Sort(x.into)
	for _, n := range slices.Compact(x.into) {
		e.Stayed += x.reach.tally(n).hits
	}
	x.effect, x.into = Effect{}, x.into[:0]
	if len(x.forms) > fewForms {
		x.forms = nil
	}
	clear(x.forms)
	return e
}

// End sets the effect of a rule.
func (x *effects) End(r *rule.Likely) {
	e := x.end()
	r.URLs, r.Tallied, r.Hits, r.Bytes = e.URLs, x.reach.tallies != nil, e.Hits, e.Bytes
}

func (a *Reach) tally(n int) tally {
	return a.tallies.of(a.pages[n].Number)
}

// Pages returns the pages of the window, in byte order of their URLs. Methods of Reach name a
// page by its place in Pages. Callers must not modify the pages.
func (a *Reach) Pages() []evidence.Page { return a.pages }

// Pairs returns the pairs of pages that a rule joins, at most as many as its weight looks at. The
// result is valid until the next call.
func (a *Reach) Pairs(r *rule.Rule) [][2]uint32 {
	if a.weigher == nil {
		a.weigh(nil)
	}
	return a.weigher.Pairs(r)
}

// weigh makes the weigher of rules. days may be nil.
func (a *Reach) weigh(days func(to []evidence.Day, page *evidence.Page) []evidence.Day) *weight.Weigher {
	o := weight.Options{Key: weightKey, Similarity: a.o.Envelope.Similarity, Days: days, Together: a.o.Together}
	if !a.o.NoEffects {
		o.Effects = func() weight.Effects { return &effects{reach: a} }
	}
	a.weigher = weight.New(a.pages, a.search(), a.numbers, o)
	return a.weigher
}

// Notes returns what Machine.Notes returns. O(bytes of the URLs) for the first call.
func (a *Reach) Notes() *notes.Site {
	if a.notes == nil {
		a.notes = a.o.notes(a.split(), a.window.Clients(), a.tallies, a.window.leftOut())
	}
	return a.notes
}

// See returns what the log of the window shows. O(bytes of the URLs), and sorting.
func (a *Reach) See() notes.Seen {
	return notes.See(a.o.shown(a.split(), a.tallies, a.window.leftOut()))
}

func (a *Reach) split() []evidence.Page { return a.o.Split(a.pages, a.window.table.Days()) }

// Waste returns the waste of the window under some rules, but for their number, and the same by day, if days are known: see
// Machine.Visits. O(bytes of the URLs), and sorting of the visits.
func (a *Reach) Waste(rules []rule.Rule) (all waste.Told, days []waste.Day, err error) {
	forms, err := Forms(a.pages, rules, a.Notes())
	if err != nil {
		return all, nil, err
	}
	return Told(forms, a.pages, a.window.Families(), a.Notes()), forms.ByDay(a.window.Visits()), nil
}

// Hits returns the tally of a page: the number of hits, and the bytes sent. Without
// Options.Tally, both are 0.
func (a *Reach) Hits(page int) (hits, bytes int64) {
	t := a.tally(page)
	return t.hits, t.bytes
}

// Alike reports whether two pages are likely similar.
func (a *Reach) Alike(u, v int) bool {
	return a.o.Envelope.Similarity.Similar(a.pages[u].Evidence, a.pages[v].Evidence)
}

// Meetings yields each page u whose URL a rule changes into that of a page v. If a form is not the
// URL of a page, v is the first page with it, and u is each further one. The pages u come in their
// order. O(URLs that hold the rarest token of the rule).
func (a *Reach) Meetings(r *rule.Rule) iter.Seq2[int, int] {
	return func(yield func(u, v int) bool) {
		first := map[string]int{} // pages with an unlisted form
		for u, form := range a.changed(r) {
			v, known := a.numbers.Of(form)
			if !known {
				v, known = first[string(form)]
			}
			if !known {
				first[string(form)] = u
				continue
			}
			if !yield(u, v) {
				return
			}
		}
	}
}

// tally counts the hits of a URL.
type tally struct{ hits, bytes int64 }

// count counts the observation that the table has just taken in as one hit.
func (m *Machine) count(o *evidence.Observation) {
	m.tallyOf(m.table.Last()).add(tally{1, max(o.Max, 0)})
	if m.visited() {
		m.visits.count(m.table.Last(), o)
	}
}

// tallyOf returns the tally of a URL, to be changed.
func (m *Machine) tallyOf(id uint32) *tally {
	for int(id) >= len(m.tally) {
		m.tally = append(urllist.Room(m.tally), tally{})
	}
	return &m.tally[id]
}

func (t *tally) add(more tally) {
	t.hits += more.hits
	t.bytes += more.bytes
}

// tallies are the tallies of URLs by number; empty without Options.Tally.
type tallies []tally

func (t tallies) of(id uint32) tally {
	if int(id) < len(t) {
		return t[id]
	}
	return tally{}
}

// forget clears the tally of a URL that is about to leave.
func (m *Machine) forget(id uint32) {
	if int(id) < len(m.tally) {
		m.tally[id] = tally{}
	}
	m.visits.forget(id)
}
