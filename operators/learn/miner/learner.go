package miner

import (
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
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

	Rules() []rule.Likely  // likely rules without a site, in the order of rule.Compare, without the redundant rules
	Likely() []rule.Likely // the same with the redundant rules
	Bytes() int64          // memory
}

// learners returns the online learners of a machine, over its list of URLs.
func (m *Machine) learners() (all []Learner) {
	if !m.o.NoEnvelope {
		m.index = envelope.New(m.o.Envelope, m.urls)
		all = append(all, &pairs{m.index, m.o.NoRefine})
	}
	if !m.o.NoParams {
		m.params = params.New(m.o.Params, m.urls)
		all = append(all, m.params)
	}
	return all
}

// pairs learns substring rules.
type pairs struct {
	*envelope.Index
	noRefine bool
}

func (p *pairs) Rules() []rule.Likely  { return p.Index.Rules(envelope.Name, p.noRefine) }
func (p *pairs) Likely() []rule.Likely { return p.Index.Rules(envelope.Name, true) }

// PairEvents returns the pairs that have become likely since the last call, and those that have
// faded. The events are net: a pair that became likely and faded in between is in neither list. A
// pair counts whether or not phase 2 finds it redundant. Both lists are in the order of
// [Machine.Rules]. O(changes since the last call).
func (m *Machine) PairEvents() (likely, faded []rule.Likely) {
	m.settle()
	if m.index == nil {
		return nil, nil
	}
	risen, fallen := m.index.Crossings()
	slices.SortFunc(risen, dust.CompareSupport)
	slices.SortFunc(fallen, dust.CompareSupport)
	return rule.OfPairs(m.site, envelope.Name, risen), rule.OfPairs(m.site, envelope.Name, fallen)
}

// ForgetPairEvents drops the events. Callers that are about to report all likely pairs use
// ForgetPairEvents.
func (m *Machine) ForgetPairEvents() {
	m.settle()
	if m.index != nil {
		m.index.ForgetCrossings()
	}
}

// Likely returns all likely rules, including redundant rules, in the order of
// [Machine.Rules]. A client that has followed all events holds the same rules.
func (m *Machine) Likely() []rule.Likely { return m.merge(Learner.Likely) }
