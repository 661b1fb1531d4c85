package miner

import (
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

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
