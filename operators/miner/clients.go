package miner

import (
	"math"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
)

// manyClients is how many different hashes of clients a site's window must show
// before one client means anything: behind a proxy all lines carry one address.
const manyClients = 8

// OneClient tells for each rule whether only one client ever asked for the URLs
// on one side of its instances, or for those with the parameter: then it may
// hold what concerns nobody else. False for all while the window shows fewer
// than eight different hashes of clients. O(tokens of all URLs), and O(URLs) for
// each parameter rule.
func (m *Machine) OneClient(rules []Rule) []bool {
	m.settle()
	alone := make([]bool, len(rules))
	if len(rules) == 0 || !m.manyClients() {
		return alone
	}
	seen := make([]sides, len(rules))
	for i := range seen {
		seen[i] = sides{nobody, nobody}
	}
	m.pairClients(rules, seen)
	for i := range rules {
		if rules[i].Kind == Parameter {
			m.dropClients(&rules[i].Drop, &seen[i].alpha)
			seen[i].beta = seen[i].alpha
		}
		alone[i] = seen[i].alpha.one() || seen[i].beta.one()
	}
	return alone
}

// clients is a range of clients' hashes.
type clients struct{ low, high uint8 }

var nobody = clients{math.MaxUint8, 0}

func (c clients) one() bool { return c.low >= c.high }

// sides are the clients of both sides of a pair.
type sides struct{ alpha, beta clients }

func (c *clients) add(m *Machine, id uint32) {
	low, high := m.table.Clients(id)
	c.low, c.high = min(c.low, low), max(c.high, high)
}

// manyClients looks for eight different hashes among the ends of the URLs'
// ranges.
func (m *Machine) manyClients() bool {
	var is [256]bool
	n := 0
	for id := range m.urls.All() {
		low, high := m.table.Clients(id)
		for _, c := range []uint8{low, high} {
			if !is[c] {
				is[c] = true
				if n++; n == manyClients {
					return true
				}
			}
		}
	}
	return false
}

// pairClients finds the instances of all pairs in one pass: at each token, those
// whose larger side begins with it.
func (m *Machine) pairClients(rules []Rule, seen []sides) {
	begin := map[string][]int{} // first token of Alpha -> rules
	for i := range rules {
		if rules[i].Kind == Substring {
			cuts := dust.AppendCuts(nil, []byte(rules[i].Pair.Alpha))
			first := rules[i].Pair.Alpha[:cuts[2]]
			begin[first] = append(begin[first], i)
		}
	}
	var cuts []int32
	var other []byte
	for id := range m.urls.All() {
		text := m.urls.Text(id)
		cuts = dust.AppendCuts(cuts[:0], text)
		for k := 1; k < len(cuts)-2; k++ {
			for _, i := range begin[string(text[cuts[k]:cuts[k+1]])] {
				var ok bool
				if other, ok = rules[i].Pair.ReplaceAt(other[:0], text, int(cuts[k])); !ok {
					continue
				}
				if v, in := m.urls.Lookup(other); in && m.similar(id, v) {
					seen[i].alpha.add(m, id)
					seen[i].beta.add(m, v)
				}
			}
		}
	}
}

// dropClients finds the groups of a parameter rule.
func (m *Machine) dropClients(d *params.Rule, seen *clients) {
	for id := range m.urls.All() {
		if rest, has := params.Rest(m.urls.Text(id), d.Param); has && d.Scope.Holds(rest) {
			seen.add(m, id)
		}
	}
}
