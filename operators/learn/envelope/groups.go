package envelope

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// groups are the members of a small set that have the same first tokens, or the same last tokens.
type groups struct {
	last   bool
	order  []int    // members by their first bytes, or by their last
	common []int    // by place in order: bytes common to the member and the one before; 0 at either end
	of     []span   // by member: where its groups are in ids, by number of tokens, as far as others may have these
	ids    []int    // numbers of groups
	sets   []uint64 // by group: its members
	keys   []uint64 // scratch
}

type span struct{ from, to int }

// find finds the groups of all members.
func (g *groups) find(s *small) {
	n := len(s.members)
	g.order, g.common, g.ids, g.sets = g.order[:0], g.common[:0], g.ids[:0], g.sets[:0]
	g.of = slices.Grow(g.of[:0], n)[:n]
	shared := commonPrefix
	if g.last {
		shared = commonSuffix
		g.sortByLast(s)
	} else {
		g.sortByFirst(s)
	}
	g.common = append(g.common, 0)
	for k := range n - 1 {
		g.common = append(g.common, shared(s.members[g.order[k]].text, s.members[g.order[k+1]].text))
	}
	g.common = append(g.common, 0)
	for at := range g.order {
		g.add(s, at)
	}
}

func (g *groups) sortByFirst(s *small) {
	for k := range s.members {
		g.order = append(g.order, k)
	}
	slices.SortFunc(g.order, func(a, b int) int { return bytes.Compare(s.members[a].text, s.members[b].text) })
}

// sortByLast sorts the members by seven bytes, which take their numbers along, and those equal in these by all.
func (g *groups) sortByLast(s *small) {
	g.keys = g.keys[:0]
	for k := range s.members {
		g.keys = append(g.keys, lastBytes(s.members[k].text)&^0xff|uint64(k))
	}
	slices.Sort(g.keys)
	from := 0
	for k, key := range g.keys {
		g.order = append(g.order, int(key&0xff))
		if k+1 == len(g.keys) || g.keys[k+1]>>8 != key>>8 {
			if same := g.order[from:]; len(same) > 1 {
				slices.SortFunc(same, func(a, b int) int { return compareLast(s.members[a].text, s.members[b].text) })
			}
			from = k + 1
		}
	}
}

// lastBytes returns up to eight bytes from the end, the last one as the greatest digit.
func lastBytes(b []byte) (last uint64) {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b[len(b)-8:])
	}
	for k, c := range b {
		last |= uint64(c) << (8 * (8 - len(b) + k))
	}
	return last
}

// compareLast compares two different texts by their bytes from the end.
func compareLast(a, b []byte) int {
	m := commonSuffix(a, b)
	if m == min(len(a), len(b)) {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Compare(a[len(a)-1-m], b[len(b)-1-m])
}

// bytesOf returns the number of bytes of so many tokens of a member.
func (g *groups) bytesOf(m *member, tokens int) int {
	if g.last {
		return len(m.text) - int(m.cuts[m.tokens()-tokens])
	}
	return int(m.cuts[tokens])
}

// add adds the member at a place of the order to its groups.
func (g *groups) add(s *small, at int) {
	u := g.order[at]
	m, from := &s.members[u], len(g.ids)
	most := max(g.common[at], g.common[at+1])
	for tokens := 0; tokens < m.tokens(); tokens++ {
		length := g.bytesOf(m, tokens)
		if length > most {
			break
		}
		id, ok := g.known(s, at, tokens, length)
		if !ok {
			id = len(g.sets) / s.words
			for range s.words {
				g.sets = append(g.sets, 0)
			}
		}
		g.ids = append(g.ids, id)
		put(g.sets[id*s.words:], u)
	}
	g.of[u] = span{from, len(g.ids)}
}

// known returns the group of the members that begin with so many tokens of the member at a place, which have so many
// bytes, if a member earlier in the order is in it. That is nearly always the one just before. But a token of that
// one may go on where the member's ends, as in /a-1, /ab and /a_1.
func (g *groups) known(s *small, at, tokens, length int) (id int, ok bool) {
	for ; g.common[at] >= length && at > 0; at-- {
		v := g.order[at-1]
		if m := &s.members[v]; tokens < m.tokens() && g.bytesOf(m, tokens) == length {
			return g.ids[g.of[v].from+tokens], true
		}
	}
	return 0, false
}

// groupsOf returns the groups of a member.
func (g *groups) groupsOf(u int) []int { return g.ids[g.of[u].from:g.of[u].to] }

// shared returns the number of tokens that two members share.
func (g *groups) shared(u, v int) int {
	a, b := g.groupsOf(u), g.groupsOf(v)
	n := min(len(a), len(b)) - 1
	for a[n] != b[n] {
		n--
	}
	return n
}
