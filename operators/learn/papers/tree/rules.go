package tree

import (
	"slices"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// maxKeys is the greatest number of keys of a node that makes rules.
const maxKeys = rule.MaxKeys

// operation is what a rule writes for a key of its target.
type operation struct {
	edit  rule.KeyEdit // SetKey, CopyKey or DropKey
	value int32        // of SetKey
	from  int32        // of CopyKey: the key of the source
}

// writer makes the rules of pairs. It holds what is known of one source.
type writer struct {
	b      *tree
	source *node
	number int32

	keysWith []uint64 // by value: the places of the source's keys that have the value
	marked   []int32  // the values in keysWith
	inSource []bool   // by cluster
	targetOf []int32  // by cluster: the last target with a URL in it
	shapes   []shape

	stamp []int32 // by value: the key's round in which the value was counted
	round int32
}

func newWriter(b *tree) *writer {
	last := int32(0)
	if n := len(b.t.Rows); n > 0 {
		last = b.t.Rows[n-1].Cluster + 1
	}
	return &writer{b: b, number: absent, keysWith: make([]uint64, len(b.t.Values)), inSource: make([]bool, last),
		targetOf: slices.Repeat([]int32{absent}, int(last)), stamp: make([]int32, len(b.t.Values))}
}

func (w *writer) begin(source int32) {
	if w.source != nil {
		for _, row := range w.source.rows {
			w.inSource[w.b.t.Rows[row].Cluster] = false
		}
		for _, v := range w.marked {
			w.keysWith[v] = 0
		}
	}
	w.source, w.number, w.marked, w.shapes = &w.b.nodes[source], source, w.marked[:0], nil
	known := map[string]int{}
	var id []byte
	for _, row := range w.source.rows {
		r := &w.b.t.Rows[row]
		w.inSource[r.Cluster] = true
		id = id[:0]
		at := 0
		for _, c := range r.Cells {
			for w.source.keys[at].key != c.Key {
				at++
			}
			id = append(id, byte(at))
			if w.keysWith[c.Value] == 0 {
				w.marked = append(w.marked, c.Value)
			}
			w.keysWith[c.Value] |= 1 << at
		}
		place, has := known[string(id)]
		if !has {
			place = len(w.shapes)
			known[string(id)] = place
			s := shape{keys: make([]int32, len(id))}
			for i, at := range id {
				s.keys[i] = w.source.keys[at].key
			}
			w.shapes = append(w.shapes, s)
		}
		own := &w.shapes[place]
		own.rows++
		if n := len(own.clusters); n == 0 || own.clusters[n-1] != r.Cluster { // a cluster's rows stand together
			own.clusters = append(own.clusters, r.Cluster)
		}
	}
}

// shape is a set of keys, with the number and the clusters of the source's URLs that have these.
type shape struct {
	keys     []int32
	rows     int
	clusters []int32
}

// found is a rule of a pair, and the number of the source's URLs that it fits.
type found struct {
	rule.Rule
	gain int
}

// rules returns the rules of a pair, one for each set of keys that URLs of the source have, if one of
// these is in a cluster of the target. Of others the pair says nothing.
func (w *writer) rules(p pair) (all []found) {
	target := &w.b.nodes[p.target]
	if len(w.b.nodes[p.source].keys) > maxKeys || len(target.keys) > maxKeys {
		return nil
	}
	if w.number != p.source {
		w.begin(p.source)
	}
	for _, row := range target.rows {
		w.targetOf[w.b.t.Rows[row].Cluster] = p.target
	}
	operations := w.operations(target)
	for _, s := range w.shapes {
		if !slices.ContainsFunc(s.clusters, func(c int32) bool { return w.targetOf[c] == p.target }) {
			continue
		}
		if keys, ok := w.template(s.keys, target, operations); ok {
			if template, err := rule.NewTemplate(keys); err == nil {
				all = append(all, found{rule.Rule{Edit: rule.Rewrite{Template: template}}, s.rows})
			}
		}
	}
	return all
}

// operations returns the operations of the keys of a target, in their order.
func (w *writer) operations(target *node) []operation {
	all := make([]operation, len(target.keys))
	for i, k := range target.keys {
		all[i] = operation{edit: rule.DropKey}
		if !k.many && int(k.rows) == len(target.rows) {
			all[i] = operation{edit: rule.SetKey, value: k.value}
		} else if from, ok := w.mapped(target, k.key); ok && !w.isFake(target, k.key) {
			all[i] = operation{edit: rule.CopyKey, from: from}
		}
	}
	return all
}

// mapped returns the key of the source that shares the most values with one of the target,
// if it has more than half of them. Of equal keys the same key comes first, then the first.
func (w *writer) mapped(target *node, key int32) (from int32, ok bool) {
	var shared [maxKeys]int
	values := 0
	w.round++
	for _, row := range target.rows {
		v, has := w.b.t.Rows[row].Value(key)
		if !has || w.stamp[v] == w.round {
			continue
		}
		w.stamp[v] = w.round
		values++
		for at, mask := 0, w.keysWith[v]; mask != 0; at, mask = at+1, mask>>1 {
			shared[at] += int(mask & 1)
		}
	}
	best := -1
	for at, k := range w.source.keys {
		if best < 0 || shared[at] > shared[best] || shared[at] == shared[best] && k.key == key {
			best = at
		}
	}
	if best < 0 || 2*shared[best] <= values {
		return 0, false
	}
	return w.source.keys[best].key, true
}

// isFake reports whether more than half of the common clusters hold several values of a key
// in the target.
func (w *writer) isFake(target *node, key int32) bool {
	clusters, several := 0, 0
	for i := 0; i < len(target.rows); {
		c := w.b.t.Rows[target.rows[i]].Cluster
		first, had := w.b.t.Rows[target.rows[i]].Value(key)
		differ := false
		for ; i < len(target.rows) && w.b.t.Rows[target.rows[i]].Cluster == c; i++ {
			v, has := w.b.t.Rows[target.rows[i]].Value(key)
			differ = differ || v != first || has != had
		}
		if w.inSource[c] {
			clusters++
			if differ {
				several++
			}
		}
	}
	return 2*several > clusters
}

// template returns the keys of the template of a pair for the URLs of the source with one
// set of keys. ok is false if templates cannot say the edits. A key that the source lacks and the
// target copies from itself is not edited.
func (w *writer) template(shape []int32, target *node, operations []operation) (keys []rule.Key, ok bool) {
	t := w.b.t
	keys = make([]rule.Key, len(shape), len(shape)+1)
	at := map[int32]int{}
	for i, key := range shape {
		at[key] = i
		switch k, _ := w.source.key(key); {
		case !k.many:
			keys[i] = t.Key(cluster.Cell{Key: key, Value: k.value})
		case t.IsBare(key):
			return nil, false
		default:
			keys[i] = rule.Key{Name: t.Names[key], Any: true}
		}
		keys[i].Edit = rule.DropKey
	}
	for i, o := range operations {
		key := target.keys[i].key
		place, has := at[key]
		if o.edit == rule.DropKey || o.edit == rule.CopyKey && o.from == key && !has {
			continue
		}
		if !has {
			if len(keys) > len(shape) || t.IsSegment(key) || t.IsBare(key) {
				return nil, false
			}
			place = len(shape)
			keys = append(keys, rule.Key{Name: t.Names[key], Absent: true})
		}
		k := &keys[place]
		switch {
		case o.edit == rule.SetKey && has && (!k.Any && k.Value == t.Values[o.value] || t.IsBare(key) && k.Name == t.Values[o.value]):
			k.Edit = rule.KeepKey
		case o.edit == rule.SetKey && !t.IsBare(key):
			k.Edit, k.To = rule.SetKey, t.Values[o.value]
		case o.edit == rule.CopyKey && o.from == key:
			k.Edit = rule.KeepKey
		default:
			if _, has := at[o.from]; !has || t.IsBare(key) || t.IsBare(o.from) {
				return nil, false
			}
			k.Edit, k.To = rule.CopyKey, t.Names[o.from]
		}
	}
	return keys, true
}
