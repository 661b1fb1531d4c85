package miner

import (
	"bytes"
	"maps"
	"math"
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
// results are false while the window shows fewer than eight different clients. Settled URLs count as
// requested by all: see public.Crowd. O(tokens of
// all URLs · lengths of the sides in tokens), and O(URLs) for each parameter rule.
func (m *Machine) OneClient(rules []rule.Likely) []bool {
	m.settle()
	alone := make([]bool, len(rules))
	if len(rules) == 0 || !m.ManyClients() {
		return alone
	}
	var few []rule.Likely // that seem to be of one client
	var at []int
	for i, is := range m.oneClient(rules, nil) {
		if is {
			few, at = append(few, rules[i]), append(at, i)
		}
	}
	if len(few) > 0 {
		for i, is := range m.oneClient(few, m.Settled()) {
			alone[at[i]] = is
		}
	}
	return alone
}

// oneClient is OneClient with some masks of clients; nil: those of the table.
func (m *Machine) oneClient(rules []rule.Likely, masks []uint16) []bool {
	alone := make([]bool, len(rules))
	s := m.SearchClients(rules)
	s.masks = masks
	s.Step(math.MaxInt)
	for i := range rules {
		if r := &rules[i].Rule; r.Kind() != rule.KindSubstring {
			s.dropClients(r, &s.seen[i].alpha)
			s.seen[i].beta = s.seen[i].alpha
		}
		alone[i] = s.OneClient(i)
	}
	return alone
}

// Settled returns Clients, with all clients of the window in the place of those of settled URLs: see public.Crowd.
// O(bytes).
func (m *Machine) Settled() []uint16 {
	masks := m.Clients()
	public.Settle(masks, func(yield func(int, string) bool) {
		for id := range m.urls.All() {
			if m.table.Has(id) && !yield(int(id), string(m.urls.Text(id))) {
				return
			}
		}
	})
	return masks
}

// clients is a mask of clients.
type clients uint16

// one reports whether all hits may be of one client.
func (c clients) one() bool { return c&(c-1) == 0 }

// sides holds the clients of both sides of a pair.
type sides struct{ alpha, beta clients }

// one reports whether all hits on a side may be of one client.
func (s *sides) one() bool { return s.alpha.one() || s.beta.one() }

// AllClients returns the mask of all clients of the window. O(URLs).
func (m *Machine) AllClients() uint16 {
	m.settle()
	var all clients
	for id := range m.urls.All() {
		all |= clients(m.table.Clients(id))
	}
	return uint16(all)
}

// SeenClients returns the mask of the clients of all observations so far.
func (m *Machine) SeenClients() uint16 { return uint16(m.clients) }

// HadManyClients is ManyClients for the clients of all observations so far.
func (m *Machine) HadManyClients() bool { return bits.OnesCount16(m.clients) >= enoughClients }

// ManyClients reports whether the clients of the window can be told apart: the mask of all
// clients has at least eight bits. O(URLs).
func (m *Machine) ManyClients() bool { return bits.OnesCount16(m.AllClients()) >= enoughClients }

// ClientSearch finds the pairs whose sides only one client requested, as OneClient does, in steps that
// a caller chooses. Between steps the machine may take in observations: a search then sees each URL as
// of some moment. Once both sides of a pair are known to have several clients, its search ends. This is
// soon the case for nearly all.
type ClientSearch struct {
	m       *Machine
	rules   []rule.Likely
	seen    []sides
	wanted  map[string][]int // Alpha -> rules whose search has not ended
	lengths []int            // of Alphas, in tokens
	alphas  [][]byte         // of wanted, if they are few
	masks   []uint16         // of clients by the number of the URL; nil: those of the table
	left    uint32           // URLs of smaller numbers are still to be searched
	cuts    []int32          // scratch
}

// fewAlphas is the number of Alphas up to which to look for each of them in the text of a URL is
// cheaper than to look up the URL's pieces.
const fewAlphas = 8

// SearchClients begins a search for the clients of pairs.
func (m *Machine) SearchClients(rules []rule.Likely) *ClientSearch {
	s := &ClientSearch{m: m, left: uint32(m.urls.Cap()), rules: rules, seen: make([]sides, len(rules)), wanted: map[string][]int{}}
	isLength := map[int]bool{}
	for i := range rules {
		if r := &rules[i].Rule; r.Kind() == rule.KindSubstring {
			alpha := r.Pair().Alpha
			s.wanted[alpha] = append(s.wanted[alpha], i)
			isLength[dust.CountTokens([]byte(alpha))] = true
		}
	}
	s.lengths = slices.Sorted(maps.Keys(isLength))
	s.list()
	return s
}

// OneClient reports whether only one client requested the URLs on one side of a pair's instances, as
// far as the search has come.
func (s *ClientSearch) OneClient(i int) bool { return s.seen[i].one() }

// list lists the Alphas once they are few.
func (s *ClientSearch) list() {
	s.alphas = nil // scan may be going through them
	if len(s.wanted) <= fewAlphas {
		for alpha := range s.wanted {
			s.alphas = append(s.alphas, []byte(alpha))
		}
	}
}

// Step searches in so many more URLs, and reports whether the search has ended. The newest URLs come
// first: with them, a pair has become likely.
func (s *ClientSearch) Step(urls int) (done bool) {
	from := uint32(max(int(s.left)-urls, 0))
	for id := range s.m.urls.Range(from, min(s.left, uint32(s.m.urls.Cap()))) {
		switch {
		case len(s.wanted) == 0:
			return true
		case len(s.wanted) <= fewAlphas:
			s.scan(id)
		default:
			s.walk(id)
		}
	}
	s.left = from
	return from == 0
}

// scan looks for the Alphas in a URL.
func (s *ClientSearch) scan(id uint32) {
	text := s.m.urls.Text(id)
	for _, alpha := range s.alphas {
		for at := 0; at+len(alpha) <= len(text); at++ {
			next := bytes.Index(text[at:], alpha)
			if next < 0 {
				break
			}
			at += next
			s.look(id, at, at+len(alpha))
		}
	}
}

// walk looks up, at each token of a URL, the pairs whose Alpha begins there.
func (s *ClientSearch) walk(id uint32) {
	s.cuts = dust.AppendCuts(s.cuts[:0], s.m.urls.Text(id))
	for k := 1; k < len(s.cuts)-2; k++ {
		for _, n := range s.lengths {
			if k+n > len(s.cuts)-2 {
				break
			}
			s.look(id, int(s.cuts[k]), int(s.cuts[k+n]))
		}
	}
}

// look examines the pairs whose Alpha is the text of a URL between two offsets.
func (s *ClientSearch) look(id uint32, from, to int) {
	alpha := s.m.urls.Text(id)[from:to]
	here := s.wanted[string(alpha)]
	if len(here) == 0 {
		return
	}
	here = slices.DeleteFunc(here, func(i int) bool {
		s.addClients(&s.seen[i], s.rules[i].Rule.Pair(), id, from)
		return !s.seen[i].one()
	})
	if s.wanted[string(alpha)] = here; len(here) == 0 {
		delete(s.wanted, string(alpha))
		s.list()
	}
}

// addClients records the clients of an instance, if the URL and the pair form one at an
// offset.
func (s *ClientSearch) addClients(of *sides, p dust.Pair, id uint32, at int) {
	m := s.m
	other, ok := p.ReplaceAt(m.other[:0], m.urls.Text(id), at)
	m.other = other
	if !ok {
		return
	}
	if v, in := m.urls.Lookup(other); in && m.o.Envelope.Similarity.Similar(m.urls.Evidence(id), m.urls.Evidence(v)) {
		of.alpha |= s.clients(id)
		of.beta |= s.clients(v)
	}
}

func (s *ClientSearch) clients(id uint32) clients {
	if s.masks != nil {
		return clients(s.masks[id])
	}
	return clients(s.m.table.Clients(id))
}

func (s *ClientSearch) dropClients(d *rule.Rule, seen *clients) {
	for id := range s.m.urls.All() {
		rest, has := d.Apply(s.m.other[:0], s.m.urls.Text(id))
		if s.m.other = rest; has {
			*seen |= s.clients(id)
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

// Own returns a function that reports whether a piece of a text may belong to one client: see
// secret.OwnIn. It is nil if the clients of the window cannot be told apart. The function is valid until the
// next Fold, and of one goroutine at a time.
func (m *Machine) Own() func(piece string) bool {
	if !m.ManyClients() {
		return nil
	}
	return secret.OwnIn(func(yield func([]byte, bool) bool) {
		m.settle()
		for id := range m.urls.All() {
			if !yield(m.urls.Text(id), !clients(m.table.Clients(id)).one()) {
				return
			}
		}
	})
}
