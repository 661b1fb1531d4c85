package equal

import (
	"cmp"
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Name is the name of the learner.
const Name = "equal"

// About is what the learner finds, for people.
const About = "pairs of substrings among equal pages"

// Options of the learner.
type Options struct {
	Envelope envelope.Options // of phase 1; without similarity there are no sets, and no rules
	NoRefine bool             // phase 2 is left out: all likely pairs are rules
}

// Learn returns the likely rules of the pages, in the order of [rule.Compare]. The URLs of
// the pages must differ.
//
// Learn calls stop now and then. If stop returns true, Learn returns false without result.
func Learn(o Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	if o.Envelope.Similarity.Off {
		return nil, true
	}
	o.Envelope.Similarity = evidence.Similarity{Off: true}
	urls := urllist.New()
	l := learning{pages: pages, urls: urls, batch: envelope.NewBatch(o.Envelope, urls), stop: stop}
	sets := setsOf(pages)
	for _, set := range sets {
		if !l.look(set, l.batch.Bound) {
			return nil, false
		}
	}
	l.batch.Bounded()
	for _, set := range sets {
		if l.batch.Wanted() && !l.look(set, l.batch.Count) {
			return nil, false
		}
	}
	return envelope.RulesOf(Name, l.batch.Likely(), o.NoRefine), true
}

// member is a page of a set.
type member struct {
	Set
	page uint32 // place in the list
}

// setsOf returns the sets of at least two pages.
func setsOf(pages []evidence.Page) (sets [][]member) {
	f := Count(pages)
	n := 0
	for i := range pages {
		if _, ok := f.SetOf(pages[i].Evidence); ok {
			n++
		}
	}
	all := make([]member, 0, n)
	for i := range pages {
		if s, ok := f.SetOf(pages[i].Evidence); ok {
			all = append(all, member{s, uint32(i)})
		}
	}
	slices.SortFunc(all, func(a, b member) int {
		if a.Value != b.Value {
			return cmp.Compare(a.Value, b.Value)
		}
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.page, b.page))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Set == all[0].Set {
			n++
		}
		if n > 1 {
			sets = append(sets, all[:n])
		}
		all = all[n:]
	}
	return sets
}

// learning is one run of Learn.
type learning struct {
	pages []evidence.Page
	urls  *urllist.List // of the current set
	batch *envelope.Batch
	ids   []uint32 // of the current set
	done  int      // URLs that were looked at
	stop  func() bool

	touched byte // without meaning
}

// stopEvery is the number of URLs between two calls of stop, about a millisecond.
const stopEvery = 256

// look makes a set the current one and looks at it.
func (l *learning) look(set []member, at func(ids []uint32)) bool {
	l.urls.Clear() // so that each set has small numbers
	l.ids = l.ids[:0]
	for _, m := range set { // the texts are scattered over the memory, so they are read together
		if url := l.pages[m.page].URL; url != "" {
			l.touched ^= url[0]
		}
	}
	for _, m := range set {
		if l.done++; l.done%stopEvery == 0 && l.stop() {
			return false
		}
		l.ids = append(l.ids, l.urls.Append(l.pages[m.page].URL))
	}
	at(l.ids)
	return true
}

// Set identifies the URLs of one size in one class, or of one digest.
type Set struct {
	Value int64
	Class uint8 // evidence.Digest: Value is a digest
}

// Frequencies counts the URLs of a list that have sizes of a class.
type Frequencies [evidence.Digest]int

// Count counts the URLs of a list.
func Count(pages []evidence.Page) (f Frequencies) {
	for i := range pages {
		for _, s := range pages[i].Evidence.Sizes() {
			f[s.Class]++
		}
	}
	return f
}

// SetOf returns the set of a URL, or false if the URL is in no set.
func (f *Frequencies) SetOf(e evidence.Spans) (Set, bool) {
	if d, ok := e.Digest(); ok {
		return Set{d, evidence.Digest}, true
	}
	sizes := e.Sizes()
	if len(sizes) == 0 {
		return Set{}, false
	}
	s := sizes[0]
	for _, other := range sizes[1:] {
		if f[other.Class] > f[s.Class] {
			s = other
		}
	}
	return Set{s.Min, s.Class}, s.Min == s.Max && s.Min > 0
}
