package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/urlnorm"
)

// See takes in the separators of parameters in the site's queries. Published records
// without these separators are renewed at once.
func (m *Machine) See(s urlnorm.Separators, now int64) {
	m.separate(s)
	m.renew(now)
}

// separate remembers separators.
func (m *Machine) separate(s urlnorm.Separators) {
	if !m.book.separators.Has(s) {
		m.do(Act{Separators: m.book.separators | s})
	}
}

// renew publishes the same rules again if some record lacks a separator, and reports
// whether a publication was made.
func (m *Machine) renew(now int64) bool {
	p := m.publisher.renewed(now)
	if p != nil {
		m.do(Act{Publication: p})
	}
	return p != nil
}

// renewed returns a publication of the same rules if some record lacks a separator, and
// otherwise nil. The set was already tried, so nothing is fetched.
func (p *publisher) renewed(now int64) *Publication {
	if !slices.ContainsFunc(p.book.publication.Records, p.outdated) {
		return nil
	}
	next := p.book.publication
	next.Sequence, next.At, next.Retired = next.Sequence+1, now, nil
	next.Records = slices.Clone(next.Records)
	separators := p.book.separators
	for i := range next.Records {
		next.Records[i].Separators = &separators
	}
	return &next
}

// outdated reports whether a record lacks a separator that was seen.
func (p *publisher) outdated(r rule.Record) bool {
	return r.Separators == nil || *r.Separators != p.book.separators
}
