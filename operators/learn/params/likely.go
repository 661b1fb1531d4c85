package params

import (
	"slices"

	"dustbuster/operators/rule"
)

// Name is the learner's name in lists.
const Name = "params"

// About is what the learner finds, for people.
const About = "parameters that may be left out"

// Likely returns the likely rules of the current list, without a site, in the order of
// [rule.Compare]. Rules that a wider likely scope of the same parameter covers are left out.
// The returned slice is never modified. O(1) if nothing changed since the last call; otherwise the cost of
// settling, then O(l log l) for l counters with enough support.
func (x *Index) Likely() []rule.Likely {
	x.settle()
	if !x.stale {
		return x.rules
	}
	x.stale = false
	rules := make([]rule.Likely, 0, len(x.rules))
	for k := range x.likely {
		if x.listed(k) {
			rules = append(rules, x.rule(k))
		}
	}
	slices.SortFunc(rules, rule.Compare)
	x.rules = rules
	return rules
}

// Rules returns the rules of Likely: none is redundant.
func (x *Index) Rules() []rule.Likely { return x.Likely() }

// listed reports whether a likely key stands in the list: its value counts, and no wider
// scope is likely. The wider scopes of a key are the scopes of the five kinds that lack
// some of its members.
func (x *Index) listed(k key) bool {
	if !x.counts(k) {
		return false
	}
	for _, w := range [...]key{
		{n: k.n},
		{n: k.n, path: k.path},
		{n: k.n, path: k.path, m: k.m},
		{n: k.n, m: k.m, v: k.v},
	} {
		if _, is := x.likely[w]; is && w != k {
			return false
		}
	}
	return true
}

// counts reports whether a key has no value, or its parameter has few values.
func (x *Index) counts(k key) bool {
	return k.v == 0 || x.values[x.words.text(k.m)].few(x.o.MaxValues)
}

func (x *Index) rule(k key) rule.Likely {
	c := x.counters[k]
	s := rule.Scope{Path: x.words.text(k.path), HasPath: k.path != 0}
	s.Where[0] = rule.Condition{Param: x.words.text(k.m), Value: x.words.text(k.v), HasValue: k.v != 0}
	return rule.Likely{Learner: Name, Rule: rule.Rule{Edit: rule.Drop{Param: x.words.text(k.n)}, Scope: s}, Support: int(c.similar), Comparable: int(c.comparable)}
}

// settleMost is the number of changed groups up to which the groups wait for a call of Likely.
const settleMost = 1 << 14

// SettleMany takes in the changes of groups if there are many, so that a later call of Likely is short.
// Groups that change often wait, since a group is folded whole.
func (x *Index) SettleMany() {
	if len(x.dirty) > settleMost {
		x.settle()
	}
}

// settle updates the counters to the current list. O(members of the groups touched since
// the last call) and, rarely, a pass over the list.
func (x *Index) settle() {
	late := x.settleGroups(x.dirty, nil)
	if cap(x.dirty) > 1<<16 {
		x.dirty = nil
	}
	x.dirty = x.dirty[:0]
	x.settleValues()
	x.settleGroups(late, nil) // all values are known now, so no group is late again
	x.forgetValues()
}

// settleGroups counts groups in their current state. settleGroups appends to late, and
// returns, the groups that must wait until the values in their rest are counted.
func (x *Index) settleGroups(list, late []uint32) []uint32 {
	for some := range slices.Chunk(list, together) {
		for _, g := range some { // their memory is read together
			if p := x.groups[g].holders; p != 0 {
				x.touched ^= x.urls.Touch(x.nodes[p].url)
			}
		}
		for _, g := range some {
			gr := &x.groups[g]
			gr.mark &^= dirty
			if gr.holders != 0 && !x.settleGroup(gr) {
				late = append(late, g)
			}
		}
	}
	return late
}

func (x *Index) settleGroup(gr *group) (done bool) {
	n := x.read(gr)
	was, now := gr.mark&state, x.stateOf(gr, n)
	if was == now {
		return true
	}
	if was == 0 && x.demand(n) {
		return false
	}
	x.apply(n, change(was, now))
	gr.mark = gr.mark&^state | now
	return true
}

// read splits one holder of a group into x.q and returns the number of its name: the node's
// place in its row.
func (x *Index) read(gr *group) (n int) {
	p := gr.holders
	id := x.nodes[p].url
	x.q.Split(x.urls.Text(id), x.o.MaxParams)
	return int(p - x.rows[id])
}

// stateOf computes the state of a group whose holder is in x.q.
func (x *Index) stateOf(gr *group, n int) uint32 {
	x.tally.reset()
	for p := gr.holders; ; {
		x.tally.add(x.urls.Evidence(x.nodes[p].url))
		if p = x.nodes[p].next; p == gr.holders {
			break
		}
	}
	x.buf = x.q.Rest(x.buf[:0], n)
	if id, ok := x.urls.Lookup(x.buf); ok && x.joins(x.urls.Evidence(id)) {
		x.tally.add(x.urls.Evidence(id))
	}
	return x.tally.state(x.o.Similarity)
}
