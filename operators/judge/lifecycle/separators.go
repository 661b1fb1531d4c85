package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// renewed returns a publication of the same rules if some record lacks a separator, and
// otherwise nil. The set was already tried, so nothing is fetched.
func (p *publisher) renewed(now int64) *book.Publication {
	if !slices.ContainsFunc(p.book.Publication.Records, p.outdated) {
		return nil
	}
	next := p.book.Publication
	next.Sequence, next.At, next.Hour, next.Retired = next.Sequence+1, now, next.LastHour(), nil
	next.Records = slices.Clone(next.Records)
	separators := p.book.Separators
	for i := range next.Records {
		next.Records[i].Separators = &separators
	}
	return &next
}

// outdated reports whether a record lacks a separator that was seen.
func (p *publisher) outdated(r rule.Record) bool {
	return r.Separators == nil || *r.Separators != p.book.Separators
}

// See takes in the separators of parameters in the site's queries. Published records
// without these separators are renewed at once.
func (li *life) See(s urlnorm.Separators, now int64) {
	li.separate(s)
	li.renew(now)
}

// separate remembers separators.
func (li *life) separate(s urlnorm.Separators) {
	if !li.book.Separators.Has(s) {
		li.do(book.Act{Separators: li.book.Separators | s})
	}
}

// renew publishes the same rules again if some record lacks a separator, and reports
// whether a publication was made.
func (li *life) renew(now int64) bool {
	p := li.publisher.renewed(now)
	if p != nil {
		li.do(book.Act{Publication: p})
	}
	return p != nil
}
