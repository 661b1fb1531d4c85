package miner

import (
	"iter"
	"maps"
	"slices"

	"dustbuster/operators/table"
)

// Sites are the machines of the sites that one log names. They belong to one
// goroutine.
type Sites struct {
	o        Options
	most     int
	machines map[string]*Machine
	last     *Machine // nearly always the next as well
}

// NewSites returns no machines yet, and will make at most so many. Which sites
// have one is decided by who comes first, not by a fold: a flood of invented
// hosts must not take the machine away from a real one.
func NewSites(most int, o Options) *Sites {
	return &Sites{o: o, most: most, machines: map[string]*Machine{}}
}

// Fold gives an observation to its site's machine; nil if the site has none and
// there are too many.
func (s *Sites) Fold(site string, o *table.Observation) (*Machine, table.Outcome) {
	if s.last == nil || s.last.site != site {
		m := s.machine(site)
		if m == nil {
			return nil, 0
		}
		s.last = m
	}
	return s.last, s.last.Fold(o)
}

func (s *Sites) machine(site string) *Machine {
	m := s.machines[site]
	if m == nil && len(s.machines) < s.most {
		m = New(site, s.o)
		s.machines[site] = m
	}
	return m
}

// Remove forgets a site's machine, and returns it; nil if it has none.
func (s *Sites) Remove(site string) *Machine {
	m := s.machines[site]
	delete(s.machines, site)
	if s.last == m {
		s.last = nil
	}
	return m
}

// All yields the machines in the order of their sites' names.
func (s *Sites) All() iter.Seq[*Machine] {
	return func(yield func(*Machine) bool) {
		for _, site := range slices.Sorted(maps.Keys(s.machines)) {
			if !yield(s.machines[site]) {
				return
			}
		}
	}
}
