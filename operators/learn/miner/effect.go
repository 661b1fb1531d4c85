package miner

import (
	"slices"
	"strings"

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

// number returns the number of a URL.
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
