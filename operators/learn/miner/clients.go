package miner

import (
	"maps"
	"math/bits"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/public"
)

// enoughClients is the number of bits of clients in a site's window, of 16, from which on a
// single client is evidence. Behind a proxy, all lines carry one address.
const enoughClients = 8

// OneClient reports for each rule whether only one client ever requested the URLs on one
// side of its instances, or with its parameter. Such a rule may hold private text. All
// results are false while the window shows fewer than eight different clients. O(tokens of
// all URLs · lengths of the sides in tokens), and O(URLs) for each parameter rule.
func (m *Machine) OneClient(rules []rule.Likely) []bool {
	m.settle()
	alone := make([]bool, len(rules))
	if len(rules) == 0 || !m.ManyClients() {
		return alone
	}
	seen := make([]sides, len(rules))
	m.pairClients(rules, seen)
	for i := range rules {
		if r := &rules[i].Rule; r.Kind != rule.Substring {
			m.dropClients(r, &seen[i].alpha)
			seen[i].beta = seen[i].alpha
		}
		alone[i] = seen[i].alpha.one() || seen[i].beta.one()
	}
	return alone
}

// clients is a mask of clients.
type clients uint16

// one reports whether all hits may be of one client.
func (c clients) one() bool { return c&(c-1) == 0 }

// sides holds the clients of both sides of a pair.
type sides struct{ alpha, beta clients }

func (c *clients) add(m *Machine, id uint32) {
	*c |= clients(m.table.Clients(id))
}

// AllClients returns the mask of all clients of the window. O(URLs).
func (m *Machine) AllClients() uint16 {
	m.settle()
	var all clients
	for id := range m.urls.All() {
		all.add(m, id)
	}
	return uint16(all)
}

// ManyClients reports whether the clients of the window can be told apart: the mask of all
// clients has at least eight bits. O(URLs).
func (m *Machine) ManyClients() bool { return bits.OnesCount16(m.AllClients()) >= enoughClients }

// pairClients finds the instances of all pairs in one pass: at each token of each URL, the
// pairs whose larger side begins there. Once both sides of a pair are known to have several
// clients, its search ends. This is soon the case for nearly all.
func (m *Machine) pairClients(rules []rule.Likely, seen []sides) {
	wanted := map[string][]int{} // Alpha -> rules
	isLength := map[int]bool{}   // of Alphas, in tokens
	for i := range rules {
		if r := &rules[i].Rule; r.Kind == rule.Substring {
			alpha := r.Pair().Alpha
			wanted[alpha] = append(wanted[alpha], i)
			isLength[dust.CountTokens([]byte(alpha))] = true
		}
	}
	lengths := slices.Sorted(maps.Keys(isLength))
	var cuts []int32
	for id := range m.urls.All() {
		cuts = dust.AppendCuts(cuts[:0], m.urls.Text(id))
		for k := 1; k < len(cuts)-2 && len(wanted) > 0; k++ {
			for _, n := range lengths {
				if k+n > len(cuts)-2 {
					break
				}
				m.pairClientsAt(id, cuts[k], cuts[k+n], rules, seen, wanted)
			}
		}
	}
}

// pairClientsAt examines the pairs whose Alpha is the text of a URL between two offsets.
func (m *Machine) pairClientsAt(id uint32, from, to int32, rules []rule.Likely, seen []sides, wanted map[string][]int) {
	alpha := m.urls.Text(id)[from:to]
	here := wanted[string(alpha)]
	if len(here) == 0 {
		return
	}
	here = slices.DeleteFunc(here, func(i int) bool {
		m.addClients(&seen[i], rules[i].Rule.Pair(), id, int(from))
		return !seen[i].alpha.one() && !seen[i].beta.one()
	})
	if wanted[string(alpha)] = here; len(here) == 0 {
		delete(wanted, string(alpha))
	}
}

// addClients records the clients of an instance, if the URL and the pair form one at an
// offset.
func (m *Machine) addClients(s *sides, p dust.Pair, id uint32, at int) {
	other, ok := p.ReplaceAt(m.other[:0], m.urls.Text(id), at)
	m.other = other
	if !ok {
		return
	}
	if v, in := m.urls.Lookup(other); in && m.similar(id, v) {
		s.alpha.add(m, id)
		s.beta.add(m, v)
	}
}

func (m *Machine) dropClients(d *rule.Rule, seen *clients) {
	for id := range m.urls.All() {
		rest, has := d.Apply(m.other[:0], m.urls.Text(id))
		if m.other = rest; has {
			seen.add(m, id)
		}
	}
}

// Hidden reports for each rule whether a veil hides it. The name of a git object in a rule is as
// public as in the URLs of the window that name the object's repository, and random text as in
// the URLs for which several clients asked. O(bytes of the rules), and O(bytes of all URLs) if
// some rule holds such a name or text.
func (m *Machine) Hidden(rules []rule.Likely, veil secret.Veil) []bool {
	hidden, shows := make([]bool, len(rules)), m.Public()
	for i := range rules {
		hidden[i] = veil.HidesBut(rules[i].Rule.Text(), shows)
	}
	return hidden
}

// Public returns a function that reports which runs of letters and digits are public in rules of
// the site: see secret.PublicIn. The function is valid until the next Fold.
func (m *Machine) Public() func(run string) bool {
	return secret.PublicIn(func(yield func([]byte, bool) bool) {
		m.settle()
		told := m.ManyClients()
		for id := range m.urls.All() {
			if !yield(m.urls.Text(id), told && public.Several(m.table.Clients(id))) {
				return
			}
		}
	})
}
