package validator

import (
	"slices"

	"dustbuster/operators/mined"
	"dustbuster/operators/rule"
)

// See takes in what separates parameters in the site's queries. The records of what is
// published are renewed at once where they do not say it.
func (m *Machine) See(s mined.Separators, now int64) {
	m.separate(s)
	m.renew(now)
}

// separate remembers separators.
func (m *Machine) separate(s mined.Separators) {
	if !m.separators.Has(s) {
		m.do(Act{Separators: m.separators | s})
	}
}

// renew publishes the same rules again if some record does not say what separates
// parameters, and reports whether it has. The set is the one that was tried: nothing is
// fetched for it.
func (m *Machine) renew(now int64) bool {
	if !slices.ContainsFunc(m.publication.Records, m.outdated) {
		return false
	}
	p := m.publication
	p.Sequence, p.At, p.Retired = p.Sequence+1, now, nil
	p.Records = slices.Clone(p.Records)
	separators := m.separators
	for i := range p.Records {
		p.Records[i].Separators = &separators
	}
	m.do(Act{Publication: &p})
	return true
}

// outdated reports whether a record does not say all separators that were seen.
func (m *Machine) outdated(r rule.Record) bool {
	return r.Separators == nil || *r.Separators != m.separators
}
