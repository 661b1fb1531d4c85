package miner

import (
	"slices"

	"dustbuster/operators/dust"
)

// PairEvents returns the pairs that have become likely since the last call, and
// those that have faded: net, so a pair that came and went in between is in
// neither. A pair counts whether phase 2 finds it redundant or not. Both lists
// are in the order of [Machine.Rules]. O(changes since the last call).
func (m *Machine) PairEvents() (likely, faded []Rule) {
	m.settle()
	risen, fallen := m.index.Crossings()
	slices.SortFunc(risen, dust.CompareSupport)
	slices.SortFunc(fallen, dust.CompareSupport)
	return substringRules(m.site, risen), substringRules(m.site, fallen)
}

// ForgetPairEvents is PairEvents for who is about to tell all that is likely.
func (m *Machine) ForgetPairEvents() {
	m.settle()
	m.index.ForgetCrossings()
}

// Likely returns all likely rules, the redundant ones as well, in the order of
// [Machine.Rules]: what whoever has followed all events holds.
func (m *Machine) Likely() []Rule { return m.merge(Learner.Likely) }
