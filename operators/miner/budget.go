package miner

import (
	"dustbuster/operators/budget"
	"dustbuster/operators/table"
)

// memory is what Sites knows of the memory that its machines take.
type memory struct {
	budget int64 // bytes; 0: any number
	used   int64 // charged to all machines
	cut    []*Machine
	pruned []*Machine
	beyond int // observations of sites that went
}

// Of the budget, so much is left when machines have been cut; and so much may be in
// use before they are. In between lies room for URLs that the indexes have not taken
// in.
const (
	lowWater  = 0.75
	highWater = 0.94
)

// SetBudget bounds the memory of all machines together, in bytes; 0: by nothing.
func (s *Sites) SetBudget(bytes int64) { s.budget = bytes }

// Used is the memory that the machines are charged for.
func (s *Sites) Used() int64 { return s.used }

// charge notes what a machine that has grown takes now.
func (s *Sites) charge(m *Machine) {
	held := m.held()
	s.used += held - m.charged
	m.charged = held
	if s.used > s.budget {
		s.makeRoom()
	}
}

// recount charges all machines anew.
func (s *Sites) recount() {
	s.used = 0
	for _, m := range s.machines {
		m.charged = m.held()
		s.used += m.charged
	}
}

// makeRoom finds out what the machines really take. If that is too much, the window
// of each site that takes more than its share is cut. The shares are what the budget
// comes to if it is poured over what the sites take: who is below the level loses
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

// settleNew brings the indexes up to the table if URLs have come.
func (m *Machine) settleNew() {
	if m.unsettled() > 0 {
		m.settle()
	}
}

// compact gives back memory that the machine does not need any more.
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

// Restore cuts a site's window as it was cut before.
func (s *Sites) Restore(site string, cuts []table.Cut) { s.machine(site).restore(cuts) }

// ForgetCounts begins to count anew what is left out.
func (s *Sites) ForgetCounts() {
	s.beyond = 0
	for m := range s.Held() {
		m.kept, m.cutURLs = 0, 0
	}
}
