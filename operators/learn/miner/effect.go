package miner

import (
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
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
	index   *search.Index   // of the URLs
	tallies []tally         // by page; nil: without Options.Tally
	similar evidence.Similarity

	weigher *weight.Weigher // of Pairs; nil: not made yet

	forms map[string]tally // of unlisted forms: the greatest tally so far, which stays
	into  map[int]bool     // listed forms
	buf   []byte
}

// Reach returns the Reach of the window. O(bytes of all URLs).
func (m *Machine) Reach() *Reach {
	return newReach(m.Window().Pages(), m.o.Envelope.Similarity, m.tallies)
}

// newReach returns the Reach of pages in byte order of their URLs. tallies may be nil.
func newReach(pages []evidence.Page, similar evidence.Similarity, tallies func(pages []evidence.Page) []tally) *Reach {
	r := &Reach{pages: pages, similar: similar, forms: map[string]tally{}, into: map[int]bool{}}
	r.index = search.New(len(pages), func(n int) string { return pages[n].URL })
	if tallies != nil {
		r.tallies = tallies(pages)
	}
	return r
}

// Effect returns the effect of a rule. O(URLs that hold the rarest token of the rule).
func (a *Reach) Effect(r *rule.Rule) (e Effect) {
	clear(a.forms)
	clear(a.into)
	among, _ := a.index.MayChange(r)
	for n := range among {
		a.merge(&e, r, int(n))
	}
	for n := range a.into {
		e.Stayed += a.tally(n).hits
	}
	return e
}

// merge adds the effect on one URL. Of the URLs that get one unlisted form, the URL with
// the most hits stays, of several such URLs the first.
func (a *Reach) merge(e *Effect, r *rule.Rule, n int) {
	form, changed := r.Apply(a.buf[:0], []byte(a.pages[n].URL))
	if !changed {
		return
	}
	a.buf = form
	merged := a.tally(n)
	if to, listed := a.number(form); listed {
		a.into[to] = true
	} else if stays, seen := a.forms[string(form)]; !seen {
		a.forms[string(form)] = merged
		return
	} else if merged.hits > stays.hits {
		a.forms[string(form)] = merged
		merged = stays
	}
	e.URLs++
	e.Hits += merged.hits
	e.Bytes += merged.bytes
}

func (a *Reach) number(url []byte) (int, bool) {
	return slices.BinarySearchFunc(a.pages, string(url), func(p evidence.Page, url string) int { return strings.Compare(p.URL, url) })
}

func (a *Reach) tally(n int) tally {
	if a.tallies == nil {
		return tally{}
	}
	return a.tallies[n]
}

// set sets the effects of rules on the window. If stop returns true, set returns false, and
// the effects of only some of the rules are set.
func (a *Reach) set(rules []rule.Likely, stop func() bool) bool {
	for i := range rules {
		if stop() {
			return false
		}
		e := a.Effect(&rules[i].Rule)
		rules[i].URLs, rules[i].Tallied, rules[i].Hits, rules[i].Bytes = e.URLs, a.tallies != nil, e.Hits, e.Bytes
	}
	return true
}

// Pages returns the pages of the window, in byte order of their URLs. Methods of Reach name a
// page by its place in Pages. Callers must not modify the pages.
func (a *Reach) Pages() []evidence.Page { return a.pages }

// Pairs returns the pairs of pages that a rule joins, at most as many as its weight looks at. The
// result is valid until the next call.
func (a *Reach) Pairs(r *rule.Rule) [][2]uint32 {
	if a.weigher == nil {
		a.weigher = weight.New(a.pages, a.index, weight.Options{Key: weightKey, Similarity: a.similar})
	}
	return a.weigher.Pairs(r)
}

// Hits returns the tally of a page: the number of hits, and the bytes sent. Without
// Options.Tally, both are 0.
func (a *Reach) Hits(page int) (hits, bytes int64) {
	t := a.tally(page)
	return t.hits, t.bytes
}

// Alike reports whether two pages are likely similar.
func (a *Reach) Alike(u, v int) bool {
	return a.similar.Similar(a.pages[u].Evidence, a.pages[v].Evidence)
}

// Meetings yields each page u whose URL a rule changes into that of a page v. If a form is not the
// URL of a page, v is the first page with it, and u is each further one. The pages u come in their
// order. O(URLs that hold the rarest token of the rule).
func (a *Reach) Meetings(r *rule.Rule) iter.Seq2[int, int] {
	return func(yield func(u, v int) bool) {
		first := map[string]int{} // pages with an unlisted form
		var form []byte
		among, _ := a.index.MayChange(r)
		for n := range among {
			u, changed := int(n), false
			if form, changed = r.Apply(form[:0], []byte(a.pages[u].URL)); !changed {
				continue
			}
			v, known := a.number(form)
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
	id := m.table.Last()
	for int(id) >= len(m.tally) {
		m.tally = append(m.tally, tally{})
	}
	m.tally[id].hits++
	m.tally[id].bytes += max(o.Max, 0)
}

func (m *Machine) hits(id uint32) tally {
	if int(id) < len(m.tally) {
		return m.tally[id]
	}
	return tally{}
}

// forget clears the tally of a URL that is about to leave.
func (m *Machine) forget(id uint32) {
	if int(id) < len(m.tally) {
		m.tally[id] = tally{}
	}
}

// tallies returns the tallies of pages of the window, or nil without Options.Tally.
func (m *Machine) tallies(pages []evidence.Page) []tally {
	if !m.o.Tally {
		return nil
	}
	all := make([]tally, len(pages))
	for i := range pages {
		if id, ok := m.urls.Lookup([]byte(pages[i].URL)); ok {
			all[i] = m.hits(id)
		}
	}
	return all
}
