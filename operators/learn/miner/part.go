package miner

import "dustbuster/operators/window/budget"

// filling is the state of Sites that are one of several parts.
type filling struct {
	parts int // 0: s is no part
	full  bool
}

// Split returns Sites for so many goroutines that share out a log: s, and others, to be merged into
// s. Until then none sheds anything before it is full, and s must not be used otherwise.
func (s *Sites) Split(parts int) []*Sites {
	o := s.o
	o.NoEnvelope, o.NoParams = true, true // the others learn nothing
	all := []*Sites{s}
	for len(all) < parts {
		part := NewSites(s.most, o)
		part.budget = s.budget
		all = append(all, part)
	}
	for _, part := range all {
		part.parts = parts
	}
	return all
}

// Full reports whether a part has reached its share of the bounds of URLs, of sites or of memory. The
// caller must then fold no more: together, the parts are within the bounds.
func (s *Sites) Full() bool { return s.full }

// fill notes whether a part is full after a machine has grown.
func (s *Sites) fill(m *Machine) {
	s.full = s.full || m.table.Len() >= s.o.Table.MaxURLs/s.parts || len(s.machines) >= s.bound()/s.parts
	if s.budget > 0 {
		held := max(budget.Site+m.table.Cost(), m.bytes())
		s.used += held - m.charged
		m.charged = held
		s.full = s.full || s.used >= int64(lowWater*float64(s.budget))/int64(s.parts)
	}
}

// Merge ends the split of s, and folds in what the other parts hold, which must not be used any longer.
// O(URLs of the other parts).
func (s *Sites) Merge(others []*Sites) {
	s.parts = 0
	s.recount()
	for _, part := range others {
		for from := range part.Held() {
			s.mergeSite(from)
			part.Remove(from.site)
		}
	}
}

func (s *Sites) mergeSite(from *Machine) {
	m := s.machine(from.site)
	m.kept, m.refused = m.kept+from.kept, m.refused+from.refused
	m.clients |= from.clients
	m.table.Merge(from.table, func(there, here uint32) {
		if m.o.Tally {
			m.tallyOf(here).add(from.tally.of(there))
			m.visits.join(here, &from.visits, there)
		}
	})
	s.grown(m)
}
