package equal

import (
	"cmp"
	"slices"

	"dustbuster/operators/dust"
	"dustbuster/operators/envelope"
	"dustbuster/operators/evidence"
	"dustbuster/operators/urllist"
)

// Learn returns the likely pairs of the pages in the order of [dust.CompareSupport]. The
// URLs of the pages must differ. The similarity of the options is not used. If noRefine is
// set, redundant pairs are not removed.
//
// Learn calls stop now and then. If stop returns true, Learn returns false without result.
func Learn(o envelope.Options, noRefine bool, pages []evidence.Page, stop func() bool) ([]dust.Candidate, bool) {
	o.Similarity = evidence.Similarity{Off: true}
	urls := urllist.New()
	l := learning{pages: pages, urls: urls, index: envelope.New(o, urls), stop: stop}
	if !l.enterAll(membersOf(pages)) {
		return nil, false
	}
	likely := l.index.Likely()
	if noRefine {
		slices.SortFunc(likely, dust.CompareSupport)
		return likely, true
	}
	return dust.Refine(likely), true
}

// member is a page of a set.
type member struct {
	set
	page uint32 // place in the list
}

// membersOf returns the pages that are in a set, set by set.
func membersOf(pages []evidence.Page) []member {
	f := count(pages)
	var all []member
	for i := range pages {
		if s, ok := f.setOf(pages[i].Evidence); ok {
			all = append(all, member{s, uint32(i)})
		}
	}
	slices.SortFunc(all, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.value, b.value), cmp.Compare(a.page, b.page))
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
		for n < len(all) && all[n].set == all[0].set {
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
