package miner

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/window/budget"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"

	"github.com/dchest/siphash"
)

// Sites holds the machines of the sites named by one log. Sites belongs to one goroutine.
//
// If there are too many sites, the sites with the most distinct URLs in their windows count.
// Ties are broken by keyed hash. Since a site begins with one URL, more sites are held than
// count: some of the others may still grow. If there are too many held sites, all sites that
// do not count are removed at once. Invented hosts therefore do not displace a real one, as
// long as it gains URLs faster.
type Sites struct {
	o        Options
	most     int
	machines map[string]*Machine
	last     *Machine   // nearly always the machine of the next observation as well
	ordered  []*Machine // by the names of their sites; nil: to be sorted again
	memory
	filling
}

// spare is the least number of sites held in addition to the sites that count.
const spare = 100

// NewSites returns Sites without machines. At most the given number of sites will count.
func NewSites(most int, o Options) *Sites {
	return &Sites{o: o, most: most, machines: map[string]*Machine{}}
}

// Fold passes an observation to the machine of a site.
func (s *Sites) Fold(site string, o *evidence.Observation) (*Machine, table.Outcome) {
	m := s.last
	if m == nil || m.site != site {
		m = s.machine(site)
		s.last = m
	}
	before := m.table.Enrolled()
	outcome := m.Fold(o)
	switch outcome {
	case table.Kept, table.KeptInstead:
		m.kept++
	case table.Shed:
		m.refused++
	}
	if m.table.Enrolled() != before {
		s.grown(m)
	}
	return m, outcome
}

// grown follows the growth of a machine's table.
func (s *Sites) grown(m *Machine) {
	switch {
	case s.parts > 0:
		s.fill(m)
	case s.budget > 0:
		s.charge(m)
	}
}

func (s *Sites) machine(site string) *Machine {
	m := s.machines[site]
	if m == nil {
		if bound := s.bound(); len(s.machines) >= bound {
			s.prune(min(s.most, bound/2))
		}
		m = newMachine(site, &s.o)
		m.room = s.budget
		m.rank = siphash.Hash(s.o.Table.Key[0], s.o.Table.Key[1], []byte(site))
		m.counts = len(s.machines) < s.most
		s.machines[site] = m
		s.ordered = nil
	}
	return m
}

// Of returns the machine of a site; nil: there is none.
func (s *Sites) Of(site string) *Machine { return s.machines[site] }

// bound returns the greatest number of held sites. A quarter of the budget may be spent on
// empty machines.
func (s *Sites) bound() int {
	bound := s.most + max(s.most, spare)
	if s.budget > 0 {
		bound = min(bound, max(2, int(s.budget/4/budget.Site)))
	}
	return bound
}

// Remove forgets a site's machine and returns the machine, or nil if there is none.
func (s *Sites) Remove(site string) *Machine {
	m := s.machines[site]
	if m == nil {
		return nil
	}
	delete(s.machines, site)
	s.ordered, s.used = nil, s.used-m.charged
	if s.last == m {
		s.last = nil
	}
	return m
}

// All yields the machines of the sites that count, in the order of their names.
func (s *Sites) All() iter.Seq[*Machine] {
	all := s.inOrder()
	if len(all) > s.most {
		all = s.ranked()[:s.most]
		slices.SortFunc(all, bySite)
	}
	for m := range s.Held() {
		m.counts = false
	}
	for _, m := range all {
		m.counts = true
	}
	return slices.Values(all)
}

// Counts reports whether a machine was yielded by the last All, or is newer.
func (m *Machine) Counts() bool { return m.counts }

// Held yields all machines in the order of their names, including the machines of sites
// that do not count.
func (s *Sites) Held() iter.Seq[*Machine] { return slices.Values(s.inOrder()) }

func (s *Sites) inOrder() []*Machine {
	if s.ordered == nil {
		s.ordered = slices.SortedFunc(maps.Values(s.machines), bySite)
	}
	return s.ordered
}

func bySite(a, b *Machine) int { return strings.Compare(a.site, b.site) }

func (s *Sites) ranked() []*Machine {
	all := slices.Clone(s.inOrder())
	slices.SortFunc(all, func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(b.table.Len(), a.table.Len()), cmp.Compare(a.rank, b.rank))
	})
	return all
}

func (s *Sites) prune(most int) {
	for _, m := range s.ranked()[most:] {
		s.Remove(m.site)
		s.beyond += m.kept
		s.pruned = append(s.pruned, m)
	}
}

// Pruned returns the machines removed since the last call because there were too many
// sites.
func (s *Sites) Pruned() []*Machine {
	gone := s.pruned
	s.pruned = nil
	return gone
}

// Beyond returns the number of observations left out because their sites do not count, of
// removed sites and of held sites.
func (s *Sites) Beyond() int {
	n := s.beyond
	s.All()
	for m := range s.Held() {
		if !m.counts {
			n += m.kept
		}
	}
	return n
}
