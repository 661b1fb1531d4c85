package miner

import (
	"slices"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
)

// Events returns the rules that have become likely since the last call, and
// those that have faded: net, so a rule that came and went in between is in
// neither. A pair counts whether phase 2 finds it redundant or not. Each list is
// in the order of [Machine.Rules].
func (m *Machine) Events() (likely, faded []Rule) {
	m.settle()
	risen, fallen := m.index.Crossings()
	slices.SortFunc(risen, dust.CompareSupport)
	slices.SortFunc(fallen, dust.CompareSupport)
	drops := m.likelyDrops()
	come, gone := without(drops, m.told), without(m.told, drops)
	m.told = drops
	return merge(m.site, risen, come), merge(m.site, fallen, gone)
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
