package miner

import (
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Learner holds the likely rules of a site online: the rules are exact at every moment. A
// machine tells its learners which URLs enter the window, change and leave. Texts and
// evidence are those of the machine's list of URLs, which is up to date at each call. A
// learner belongs to the machine's goroutine. The rules of a learner depend only on the URLs
// and their evidence.
type Learner interface {
	Enter(id uint32)
	Change(id uint32, was evidence.Spans) // the URL's evidence has changed; was, the old evidence, is valid during the call
	Leave(ids ...uint32)                  // the URLs are still in the list

	Rules() []rule.Likely  // likely rules in the order of rule.Compare, without the redundant rules
	Likely() []rule.Likely // likely rules in the order of rule.Compare, with the redundant rules
	Bytes() int64          // memory
}

// learners returns the online learners of a machine, over its list of URLs.
func (m *Machine) learners() (all []Learner) {
	if !m.o.NoEnvelope {
		m.index = envelope.New(m.o.Envelope, m.urls)
		all = append(all, &pairs{m.index, m.site, m.o.NoRefine})
	}
	if !m.o.NoParams {
		m.params = params.New(m.o.Params, m.urls)
		all = append(all, &parameters{m.params, m.site})
	}
	return all
}

// pairs learns substring rules.
type pairs struct {
	*envelope.Index
	site     string
	noRefine bool
}

func (p *pairs) Rules() []rule.Likely  { return p.Index.Rules(p.site, envelope.Name, p.noRefine) }
func (p *pairs) Likely() []rule.Likely { return p.Index.Rules(p.site, envelope.Name, true) }

// parameters learns parameter rules.
type parameters struct {
	*params.Index
	site string
}

func (d *parameters) Rules() []rule.Likely { return d.Likely() }

func (d *parameters) Likely() []rule.Likely {
	rules := slices.Clone(d.Index.Likely())
	for i := range rules {
		rules[i].Site = d.site
	}
	return rules
}
