package miner

import (
	"dustbuster/operators/window/budget"
	"dustbuster/operators/window/table"
)

// memory is the state by which Sites bounds the memory of its machines.
type memory struct {
	budget int64 // bytes; 0: any number
	used   int64 // charged to all machines
	cut    []*Machine
	pruned []*Machine
	beyond int // observations of removed sites
}

// How much of the budget is in use after machines have been cut, and how much triggers a
// cut. The difference leaves room for URLs that are not in the indexes yet.
const (
	lowWater  = 0.75
	highWater = 0.94
)

// SetBudget bounds the memory of all machines together, in bytes; 0: no bound.
func (s *Sites) SetBudget(bytes int64) { s.budget = bytes }

// Used returns the memory charged to the machines, in bytes.
func (s *Sites) Used() int64 { return s.used }

// charge updates the charge of a machine that has grown.
func (s *Sites) charge(m *Machine) {
	held := m.held()
	s.used += held - m.charged
	m.charged = held
	if s.used > s.budget {
		s.makeRoom()
	}
}

func (s *Sites) recount() {
	s.used = 0
	for _, m := range s.machines {
		m.charged = m.held()
		s.used += m.charged
	}
}

// makeRoom determines the memory really used by the machines. If the memory exceeds the
// budget, the window of each site above the common level is cut to the level. The level is
// found by pouring the budget over the memory of the sites: sites below the level lose
// nothing.
func (s *Sites) makeRoom() {
	high, low := int64(highWater*float64(s.budget)), int64(lowWater*float64(s.budget))
	for _, improve := range []func(*Machine){(*Machine).settleNew, (*Machine).compact} {
		for m := range s.Held() {
			improve(m)
		}
		if s.recount(); s.used <= high {
			return
		}
	}
	demands := make([]int64, 0, len(s.machines))
	for m := range s.Held() {
		demands = append(demands, m.charged)
	}
	level := budget.Level(demands, low)
	for m := range s.Held() {
		if m.charged > level {
			m.shed(level)
			s.cut = append(s.cut, m)
		}
	}
	s.recount()
}

// settleNew updates the indexes if the table has new URLs, unless the machine rests and is small.
func (m *Machine) settleNew() {
	if m.unsettled() > 0 && (m.awake || !m.small()) {
		m.settle()
	}
}

// compact releases memory that the machine no longer needs.
func (m *Machine) compact() {
	if m.sparse() {
		m.rebuild()
	}
}

// TakeCut returns the machines whose windows have been cut since the last call.
func (s *Sites) TakeCut() []*Machine {
	cut := s.cut
	s.cut = nil
	return cut
}

// Restore repeats earlier cuts of a site's window.
func (s *Sites) Restore(site string, cuts []table.Cut) { s.machine(site).restore(cuts) }

// ForgetCounts resets the counts of observations left out.
func (s *Sites) ForgetCounts() {
	s.beyond = 0
	for m := range s.Held() {
		m.kept, m.refused, m.cutURLs = 0, 0, 0
	}
}
