package miner

import (
	"slices"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
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
	return merge(m.site, risen, nil), merge(m.site, fallen, nil)
}

// DropEvents is PairEvents for parameters, whose rules come and fade when they
// are looked at. O(likely drops).
func (m *Machine) DropEvents() (likely, faded []Rule) {
	m.settle()
	drops := m.likelyDrops()
	come, gone := without(drops, m.told), without(m.told, drops)
	m.told = drops
	return merge(m.site, nil, come), merge(m.site, nil, gone)
}

// Likely returns all likely rules, the redundant ones as well, in the order of
// [Machine.Rules]: what whoever has followed all events holds.
func (m *Machine) Likely() []Rule {
	m.settle()
	pairs := m.index.Likely()
	slices.SortFunc(pairs, dust.CompareSupport)
	return merge(m.site, pairs, m.likelyDrops())
}

// without returns the rules that are not in others, whatever their counts.
func without(rules, others []params.Rule) (rest []params.Rule) {
	type drop struct {
		param string
		scope params.Scope
	}
	in := map[drop]bool{}
	for _, r := range others {
		in[drop{r.Param, r.Scope}] = true
	}
	for _, r := range rules {
		if !in[drop{r.Param, r.Scope}] {
			rest = append(rest, r)
		}
	}
	return rest
}
