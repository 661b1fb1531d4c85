package miner

import (
	"bytes"
	"slices"

	"dustbuster/operators/dust"
	"dustbuster/operators/envelope"
	"dustbuster/operators/evidence"
	"dustbuster/operators/params"
	"dustbuster/operators/table"
	"dustbuster/operators/urllist"
)

// Options are those of a machine's parts.
type Options struct {
	Table    table.Options
	Envelope envelope.Options
	Params   params.Options
	NoParams bool // no parameter rules
	NoRefine bool // phase 2 is left out: all likely pairs are rules
}

// Machine mines one site. It belongs to one goroutine.
type Machine struct {
	o      Options
	site   string
	urls   *urllist.List
	table  *table.Table
	index  *envelope.Index
	params *params.Index

	settled int64  // tokens of the list's URLs when the indexes were last brought up to it
	cutURLs int    // that cuts have taken out of the window
	rank    uint64 // of the site, among those of equally many URLs
	kept    int    // observations taken in
	charged int64  // bytes that Sites has counted
	counts  bool   // at the last look of Sites, the site was among those that count

	evidence evidence.Spans // scratch
	leaving  []uint32       // scratch
	other    []byte         // scratch
}

// New returns the machine of a site that nothing is known of.
func New(site string, o Options) *Machine {
	urls := urllist.New()
	return &Machine{
		o: o, site: site, urls: urls,
		table:  table.New(o.Table, urls),
		index:  envelope.New(o.Envelope, urls),
		params: params.New(o.Params, urls),
	}
}

// Site is the site's name.
func (m *Machine) Site() string { return m.site }

// Among URLs that have left the window, this many are worth the work of
// releasing them, or a share of 1/goneShare of all.
const (
	goneLeast = 1 << 12
	goneShare = 4
)

// Fold takes in an observation. A URL that is known costs a lookup.
func (m *Machine) Fold(o *evidence.Observation) table.Outcome {
	outcome := m.table.Fold(o)
	if gone := m.table.Gone(); gone > goneLeast && gone > m.urls.Len()/goneShare {
		m.settle()
	}
	return outcome
}

// settle brings the indexes up to the table. Departures come first: there are
// then the fewest URLs to meet. The order of the others is free; in that of
// their texts, a URL finds what it needs in the cache, where the one before it
// has just been (a million new URLs: 5.0 µs each instead of 5.8).
func (m *Machine) settle() {
	m.settled = m.table.Tokens()
	changed := m.table.Changed()
	m.leave(changed)
	here := slices.DeleteFunc(changed, func(id uint32) bool { return !m.table.Has(id) })
	slices.SortFunc(here, func(a, b uint32) int { return bytes.Compare(m.urls.Text(a), m.urls.Text(b)) })
	for _, id := range here {
		m.update(id)
	}
}

func (m *Machine) leave(changed []uint32) {
	m.leaving = m.leaving[:0]
	for _, id := range changed {
		if !m.table.Has(id) && m.index.Has(id) {
			m.leaving = append(m.leaving, id)
		}
	}
	m.index.Leave(m.leaving...)
	for _, id := range m.leaving {
		if !m.o.NoParams {
			m.params.Leave(id)
		}
	}
	for _, id := range changed {
		if !m.table.Has(id) {
			m.table.Release(id)
		}
	}
}

// update tells the indexes what the table knows of a URL now.
func (m *Machine) update(id uint32) {
	m.evidence = m.table.Evidence(m.evidence[:0], id)
	enters := !m.index.Has(id)
	switch {
	case enters:
		m.index.Enter(id, m.evidence)
	case m.evidence.Equal(m.urls.Evidence(id)):
		return
	default:
		m.index.Change(id, m.evidence)
	}
	switch {
	case m.o.NoParams:
	case enters:
		m.params.Enter(id, m.evidence)
	default:
		m.params.Change(id, m.evidence)
	}
	m.urls.SetEvidence(id, m.evidence)
}

// Rules returns the site's likely rules, without the redundant ones, best
// first. It depends on the table alone.
func (m *Machine) Rules() []Rule {
	m.settle()
	pairs := m.index.Likely()
	if m.o.NoRefine {
		slices.SortFunc(pairs, dust.CompareSupport)
	} else {
		pairs = dust.Refine(pairs)
	}
	return merge(m.site, pairs, m.likelyDrops())
}

func (m *Machine) likelyDrops() []params.Rule {
	if m.o.NoParams {
		return nil
	}
	return m.params.Likely()
}

// Check tells the first broken invariant of the machine's parts; for tests.
func (m *Machine) Check() error {
	m.settle()
	if err := m.table.Check(); err != nil {
		return err
	}
	if err := m.index.Check(); err != nil {
		return err
	}
	return m.params.Check()
}
