package miner

import "dustbuster/operators/window/budget"

// filling is the state of Sites that are one of several parts.
type filling struct {
	parts int // 0: s is no part
	full  bool
}

// Part returns empty Sites for one of several goroutines that share out a log, to be merged into s.
// A part learns nothing, and sheds nothing before it is full. The least bound of URLs must be one for
// each part.
func (s *Sites) Part(parts int) *Sites {
	o := s.o
	o.NoEnvelope, o.NoParams = true, true
	o.Table.MaxURLs /= parts
	part := NewSites(s.most, o)
	part.budget, part.parts = s.budget, parts
	return part
}

// Full reports whether a part has reached its share of the bounds of URLs, of sites or of memory. The
// caller must then fold no more: together, the parts are within the bounds.
func (s *Sites) Full() bool { return s.full }

// fill notes whether a part is full after a machine has grown.
func (s *Sites) fill(m *Machine) {
	s.full = s.full || m.table.Len() >= s.o.Table.MaxURLs || len(s.machines) >= s.bound()/s.parts
	if s.budget > 0 {
		held := max(budget.Site+m.table.Cost(), m.bytes())
		s.used += held - m.charged
		m.charged = held
		s.full = s.full || s.used >= int64(lowWater*float64(s.budget))/int64(s.parts)
	}
}

// Merge folds in what a part holds. The part may not be used any longer. O(URLs of the part).
func (s *Sites) Merge(part *Sites) {
	for from := range part.Held() {
		m := s.machine(from.site)
		m.kept += from.kept
		m.table.Merge(from.table, func(there, here uint32) {
			if m.o.Tally {
				m.tallyOf(here).add(from.hits(there))
			}
		})
		part.Remove(from.site)
		s.grown(m)
	}
}
