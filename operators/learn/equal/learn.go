package equal

import (
	"cmp"
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
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
	l := learning{pages: pages, urls: urls, index: envelope.New(o.Envelope, urls), stop: stop}
	if !l.enterAll(membersOf(pages)) {
		return nil, false
	}
	return rules(l.index.Likely(), o.NoRefine), true
}

func rules(pairs []dust.Candidate, noRefine bool) []rule.Likely {
	if noRefine {
		slices.SortFunc(pairs, dust.CompareSupport)
	} else {
		pairs = dust.Refine(pairs)
	}
	return rule.OfPairs("", Name, pairs)
}

// member is a page of a set.
type member struct {
	Set
	page uint32 // place in the list
}

// membersOf returns the pages that are in a set, set by set.
func membersOf(pages []evidence.Page) []member {
	f := Count(pages)
	var all []member
	for i := range pages {
		if s, ok := f.SetOf(pages[i].Evidence); ok {
			all = append(all, member{s, uint32(i)})
		}
	}
	slices.SortFunc(all, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Value, b.Value), cmp.Compare(a.page, b.page))
	})
	return all
}

// learning is one run of Learn.
type learning struct {
	pages []evidence.Page
	urls  *urllist.List // of the current set
	index *envelope.Index
	ids   []uint32 // of the current set
	done  int      // URLs entered
	stop  func() bool
}

// enterAll enters the sets of at least two members, and reports whether all have entered.
func (l *learning) enterAll(all []member) bool {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Set == all[0].Set {
			n++
		}
		if n > 1 && !l.enter(all[:n]) {
			return false
		}
		all = all[n:]
	}
	return true
}

// stopEvery is the number of URLs between two calls of stop, about a millisecond.
const stopEvery = 256

// enter enters a set.
func (l *learning) enter(members []member) bool {
	for _, id := range slices.Backward(l.ids) { // so that the next set has small numbers
		l.urls.Release(id)
	}
	l.index.NextSet()
	l.ids = l.ids[:0]
	for _, m := range members {
		if l.done++; l.done%stopEvery == 0 && l.stop() {
			return false
		}
		if id, added := l.urls.Intern([]byte(l.pages[m.page].URL)); added {
			l.index.Enter(id)
			l.ids = append(l.ids, id)
		}
	}
	return true
}
