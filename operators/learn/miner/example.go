package miner

import (
	"bytes"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Example returns two URLs of the window that are an instance of a rule and likely similar.
// The result depends on the table alone. O(bytes of all URLs).
func (m *Machine) Example(r *rule.Rule) (u, v string, ok bool) {
	m.settle()
	if r.Kind == rule.Substring {
		return m.pairExample(r.Pair())
	}
	return m.dropExample(r)
}

// places is the number of occurrences of Alpha in one URL that are tried for an example.
const places = 32

// pairExample returns the least URL with Alpha, in byte order, whose counterpart with Beta
// is in the window.
func (m *Machine) pairExample(p dust.Pair) (u, v string, ok bool) {
	for id := range m.urls.All() {
		text := m.urls.Text(id)
		if ok && string(text) >= u {
			continue
		}
		tried := 0
		for other := range p.Replacements(text) {
			if tried++; tried > places {
				break
			}
			if at, in := m.urls.Lookup(other); in && at != id && m.similar(id, at) {
				u, v, ok = string(text), string(other), true
				break
			}
		}
	}
	return u, v, ok
}

// members is the number of members of a group that are compared pairwise for an example.
const members = 8

// dropExample returns the least two URLs with the same edited URL, of which the
// first is edited. The search covers the least members of each group.
func (m *Machine) dropExample(d *rule.Rule) (u, v string, ok bool) {
	groups := map[string][]uint32{}
	for id := range m.urls.All() {
		if rest, has := d.Apply(nil, m.urls.Text(id)); has {
			groups[string(rest)] = append(groups[string(rest)], id)
		}
	}
	for rest, holders := range groups {
		slices.SortFunc(holders, func(a, b uint32) int { return bytes.Compare(m.urls.Text(a), m.urls.Text(b)) })
		holders = holders[:min(len(holders), members)]
		others := holders
		if id, in := m.urls.Lookup([]byte(rest)); in {
			others = append(slices.Clone(holders), id)
		}
		for _, a := range holders {
			for _, b := range others {
				first, second := string(m.urls.Text(a)), string(m.urls.Text(b))
				if a != b && (!ok || first < u || first == u && second < v) && m.similar(a, b) {
					u, v, ok = first, second, true
				}
			}
		}
	}
	return u, v, ok
}

func (m *Machine) similar(a, b uint32) bool {
	return m.o.Envelope.Similarity.Similar(m.urls.Evidence(a), m.urls.Evidence(b))
}
