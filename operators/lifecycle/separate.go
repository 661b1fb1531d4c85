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
// whether a publication was made. The set was already tried, so nothing is fetched.
func (m *Machine) renew(now int64) bool {
	if !slices.ContainsFunc(m.book.publication.Records, m.outdated) {
		return false
	}
	p := m.book.publication
	p.Sequence, p.At, p.Retired = p.Sequence+1, now, nil
	p.Records = slices.Clone(p.Records)
	separators := m.book.separators
	for i := range p.Records {
		p.Records[i].Separators = &separators
	}
	m.do(Act{Publication: &p})
	return true
}

// outdated reports whether a record lacks a separator that was seen.
func (m *Machine) outdated(r rule.Record) bool {
	return r.Separators == nil || *r.Separators != m.book.separators
}
