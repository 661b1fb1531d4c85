package params

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"dustbuster/operators/url/query"
)

// Check recomputes the whole index and returns the first difference: rows and circles of
// nodes, both tables, the real bytes behind each hash, the states of settled groups,
// counters, words and values. For tests. O(list * parameters) or more.
func (x *Index) Check() error {
	for _, check := range []func() error{
		x.checkURLs, x.checkGroups, x.checkStates, x.checkCounters, x.checkWords, x.checkValues,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkURLs checks each URL's nodes.
func (x *Index) checkURLs() error {
	members := 0
	for id := range x.urls.All() {
		if int(id) >= len(x.rows) {
			return fmt.Errorf("url %q never entered", x.urls.Text(id))
		}
		x.q.Split(x.urls.Text(id), x.o.MaxParams)
		row, want := x.rows[id], x.q.Names()
		if !x.joins(x.urls.Evidence(id)) {
			want = 0
		}
		if (row != 0) != (want > 0) {
			return fmt.Errorf("url %q: row %d for %d names", x.urls.Text(id), row, want)
		}
		members += want
		for n := range want {
			if err := x.checkNode(row+uint32(n), id, n); err != nil {
				return fmt.Errorf("url %q, name %q: %w", x.urls.Text(id), x.q.Name(n), err)
			}
		}
	}
	if members != x.members {
		return fmt.Errorf("%d members, counted %d", members, x.members)
	}
	return nil
}

func (x *Index) checkNode(p, id uint32, n int) error {
	o := x.nodes[p]
	rest := x.q.Rest(nil, n)
	key := x.urls.Hash(rest) ^ maphash.Bytes(x.nameSeed, x.q.Name(n))
	switch {
	case o.url != id:
		return fmt.Errorf("node %d is of url %d, not %d", p, o.url, id)
	case x.nodes[o.next].previous != p || x.nodes[o.previous].next != p:
		return fmt.Errorf("broken circle at node %d", p)
	case x.find(key) != o.group:
		return fmt.Errorf("in group %d, not %d", o.group, x.find(key))
	}
	first := x.groups[o.group].holders
	var q query.Query
	other := x.nodes[first].url
	q.Split(x.urls.Text(other), x.o.MaxParams)
	m := int(first - x.rows[other])
	if !bytes.Equal(q.Name(m), x.q.Name(n)) || !bytes.Equal(q.Rest(nil, m), rest) {
		return fmt.Errorf("group %d is of another parameter or rest", o.group)
	}
	return nil
}

// checkGroups checks each group in both tables, and that every node belongs to a URL.
func (x *Index) checkGroups() error {
	live, members, heads := 0, 0, 0
	inDirty := map[uint32]int{}
	for _, g := range x.dirty {
		inDirty[g]++
	}
	for i := 1; i < len(x.groups); i++ {
		g, gr := uint32(i), x.groups[i]
		if is := gr.mark&dirty != 0; is != (inDirty[g] == 1) || inDirty[g] > 1 {
			return fmt.Errorf("group %d: dirty %v, %d times in the list", g, is, inDirty[g])
		}
		if gr.holders == 0 {
			continue
		}
		live++
		for p := gr.holders; ; {
			members++
			if x.nodes[p].group != g {
				return fmt.Errorf("group %d: node %d is of group %d", g, p, x.nodes[p].group)
			}
			if p = x.nodes[p].next; p == gr.holders {
				break
			}
		}
		if gr.previous == 0 {
			heads++
		}
		if x.find(gr.key) != g || !x.chained(g) {
			return fmt.Errorf("group %d not found", g)
		}
	}
	if live != x.byKey.used || members != x.members || heads != x.byRest.used {
		return fmt.Errorf("%d groups, %d members, %d heads; counted %d, %d, %d",
			live, members, heads, x.byKey.used, x.members, x.byRest.used)
	}
	return nil
}

// chained reports whether a group is reachable by the hash of its rest.
func (x *Index) chained(g uint32) bool {
	tag := x.groups[g].mark & restBits
	n := x.read(&x.groups[g])
	if restTag(x.urls.Hash(x.q.Rest(nil, n))) != tag {
		return false
	}
	previous := uint32(0)
	for _, at := x.byRest.seek(tag, tag); at != 0; at = x.groups[at].next {
		if x.groups[at].previous != previous {
			return false
		}
		if at == g {
			return true
		}
		previous = at
	}
	return false
}

// checkStates recomputes the state of every settled group.
func (x *Index) checkStates() error {
	var total counter
	for i := 1; i < len(x.groups); i++ {
		gr := &x.groups[i]
		if gr.holders == 0 {
			if gr.mark&^dirty != 0 {
				return fmt.Errorf("group %d is free and marked %#x", i, gr.mark)
			}
			continue
		}
		d := change(0, gr.mark)
		total.comparable += d.comparable
		total.similar += d.similar
		n := x.read(gr)
		if want := x.stateOf(gr, n); gr.mark&dirty == 0 && want != gr.mark&state {
			return fmt.Errorf("group %d, rest %q: state %#x, not %#x", i, x.q.Rest(nil, n), gr.mark&state, want)
		}
	}
	if total != x.total {
		return fmt.Errorf("total %v, counted %v", total, x.total)
	}
	return nil
}

// checkCounters adds up the contribution of each counted group to its scopes.
func (x *Index) checkCounters() error {
	want := map[key]counter{}
	demand := map[string]int{}
	give := func(k key, d counter) {
		c := want[k]
		want[k] = counter{c.comparable + d.comparable, c.similar + d.similar}
	}
	for i := range x.groups {
		gr := &x.groups[i]
		if gr.mark&countable == 0 {
			continue
		}
		n, d := x.read(gr), change(0, gr.mark)
		k := key{n: x.words.ids[string(x.q.Name(n))]}
		give(k, d)
		k.path = x.words.ids[string(x.q.Path())]
		give(k, d)
		for m := range x.q.Names() {
			if m == n {
				continue
			}
			k.m, k.v = x.words.ids[string(x.q.Name(m))], 0
			give(k, d)
			if !x.q.Valued(m) {
				continue
			}
			v := x.values[string(x.q.Name(m))]
			if v == nil {
				return fmt.Errorf("values of %q not followed", x.q.Name(m))
			}
			demand[string(x.q.Name(m))]++
			for p := range x.q.Values(m) {
				if v.counted {
					k.v = x.words.ids[string(x.q.ValueOf(p))]
					give(k, d)
					give(key{n: k.n, m: k.m, v: k.v}, d)
				}
			}
		}
	}
	for name, v := range x.values {
		if v.demand != demand[name] {
			return fmt.Errorf("values of %q: demand %d, counted %d", name, demand[name], v.demand)
		}
	}
	return x.compareCounters(want)
}

func (x *Index) compareCounters(want map[key]counter) error {
	likely := 0
	for k, c := range want {
		if x.counters[k] != c {
			return fmt.Errorf("%v: %v, counted %v", x.rule(k), c, x.counters[k])
		}
		_, is := x.likely[k]
		if is != x.isLikely(c) {
			return fmt.Errorf("%v: %v, likely %v", x.rule(k), c, is)
		}
		if is {
			likely++
		}
	}
	if len(want) != len(x.counters) || likely != len(x.likely) {
		return fmt.Errorf("%d counters, %d likely; kept %d, %d", len(want), likely, len(x.counters), len(x.likely))
	}
	return nil
}

func (x *Index) checkWords() error {
	refs := make([]int, len(x.words.list))
	for k := range x.counters {
		for _, w := range [...]uint32{k.n, k.path, k.m, k.v} {
			refs[w]++
		}
	}
	live := 0
	for w, o := range x.words.list[1:] {
		id := uint32(w + 1)
		if o.refs != refs[id] || o.refs > 0 && x.words.ids[o.text] != id {
			return fmt.Errorf("word %q: %d references, counted %d", o.text, refs[id], o.refs)
		}
		if o.refs > 0 {
			live++
		}
	}
	if live != len(x.words.ids) {
		return fmt.Errorf("%d words, %d numbered", live, len(x.words.ids))
	}
	return nil
}

// checkValues counts the values of each tracked parameter.
func (x *Index) checkValues() error {
	want := map[string]map[uint64]int32{}
	for id := range x.urls.All() {
		x.q.Split(x.urls.Text(id), x.o.MaxParams)
		for _, p := range x.q.Pieces {
			if !p.Valued() {
				continue
			}
			name := string(x.q.NameOf(p))
			if want[name] == nil {
				want[name] = map[uint64]int32{}
			}
			want[name][maphash.Bytes(x.nameSeed, x.q.ValueOf(p))]++
		}
	}
	for name, v := range x.values {
		if !x.moved && (v.counted && !v.few(countedFactor*x.o.MaxValues) || !v.counted && v.few(x.o.MaxValues)) {
			return fmt.Errorf("values of %q: %d, counters kept %v", name, len(want[name]), v.counted)
		}
		if v.counts == nil {
			if v.floor > len(want[name]) {
				return fmt.Errorf("values of %q: %d, floor %d", name, len(want[name]), v.floor)
			}
			continue
		}
		if len(v.counts) != len(want[name]) {
			return fmt.Errorf("values of %q: %d, counted %d", name, len(want[name]), len(v.counts))
		}
		for hash, count := range v.counts {
			if want[name][hash] != count {
				return fmt.Errorf("a value of %q: %d times, counted %d", name, want[name][hash], count)
			}
		}
	}
	return nil
}
