package worlds

import (
	"math/rand/v2"
	"slices"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Online is a learner that follows a list of URLs.
type Online interface {
	Enter(id uint32)
	Change(id uint32, was evidence.Spans)
	Leave(ids ...uint32)
}

// List is a list of URLs that a learner follows, as a miner drives both.
type List struct {
	URLs    *urllist.List
	Learner Online
}

// Set enters a URL, or changes the evidence of its page.
func (l *List) Set(url string, e evidence.Spans) {
	id, added := l.URLs.Intern([]byte(url))
	was := slices.Clone(l.URLs.Evidence(id))
	l.URLs.SetEvidence(id, e)
	if added {
		l.Learner.Enter(id)
	} else {
		l.Learner.Change(id, was)
	}
}

// Drop lets URLs leave together. URLs that are not in the list are passed over.
func (l *List) Drop(urls ...string) {
	var ids []uint32
	for _, url := range urls {
		if id, ok := l.URLs.Lookup([]byte(url)); ok {
			ids = append(ids, id)
		}
	}
	l.Learner.Leave(ids...)
	for _, id := range ids {
		l.URLs.Release(id)
	}
}

// Has reports whether a URL is in the list.
func (l *List) Has(url string) bool {
	_, ok := l.URLs.Lookup([]byte(url))
	return ok
}

// Pages returns the pages of the list in the order of their URLs.
func (l *List) Pages() []evidence.Page { return l.URLs.Copy().Pages() }

// Any returns a URL of the list.
func (l *List) Any(r *rand.Rand) string {
	pages := l.Pages()
	return pages[r.IntN(len(pages))].URL
}
