package params

import (
	"fmt"
	"hash/maphash"
)

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
