package fanout

import (
	"slices"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// anyValue stands for any value in the hash of a context.
const anyValue = -1

// cellHash is the share of a key with its value in the hash of a context. The shares are
// added, so that a key may change alone.
func cellHash(key, value int32) uint64 {
	h := uint64(uint32(key))<<32 | uint64(uint32(value))
	h ^= h >> 30 // splitmix64
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// contextOf returns the context of a URL. A key that is dropped or copied has any value, but for a
// bare piece, whose text is its name.
func contextOf(t *cluster.Table, row int32, how transformation) context {
	c := context{row: row}
	for _, cell := range t.Rows[row].Cells {
		c.hash += cellHash(cell.Key, cell.Value)
	}
	if how.edit != rule.SetKey && !t.IsBare(how.key) {
		c.generalize(t, how.key)
	}
	return c
}

func (c *context) generalize(t *cluster.Table, key int32) {
	if at := c.place(t, key); at >= 0 && c.any&(1<<at) == 0 {
		c.hash += cellHash(key, anyValue) - cellHash(key, t.Rows[c.row].Cells[at].Value)
		c.any |= 1 << at
	}
}

// place returns the place of a key in a context, or -1.
func (c *context) place(t *cluster.Table, key int32) int {
	return slices.IndexFunc(t.Rows[c.row].Cells, func(cell cluster.Cell) bool { return cell.Key == key })
}

// generalized returns the contexts of a transformation, generalized until nothing changes: once
// with the key set as it was, and once with that key generalized like others.
func (g *group) generalized(t *cluster.Table, o *Options) []context {
	if g.edit != rule.SetKey {
		g.generalize(t, o, true)
		return g.contexts
	}
	wide := group{g.transformation, slices.Clone(g.contexts)}
	g.generalize(t, o, false)
	wide.generalize(t, o, true)
	known := map[uint64]bool{}
	for _, c := range g.contexts {
		known[c.hash] = true
	}
	return append(g.contexts, slices.DeleteFunc(wide.contexts, func(c context) bool { return known[c.hash] })...)
}

// generalize generalizes the contexts until nothing changes, with or without the key of the
// transformation.
func (g *group) generalize(t *cluster.Table, o *Options, own bool) {
	for changed := len(g.contexts) >= o.Fanout; changed; {
		changed = false
		for _, key := range g.keys(t) {
			if (own || key != g.key) && g.generalizeKey(t, key, o.Fanout) {
				changed = true
			}
		}
	}
}

// keys returns the keys that may have any value, in order. A template cannot say that of bare pieces.
func (g *group) keys(t *cluster.Table) []int32 {
	var keys []int32
	has := map[int32]bool{}
	for _, c := range g.contexts {
		for _, cell := range t.Rows[c.row].Cells {
			if !has[cell.Key] && !t.IsBare(cell.Key) {
				has[cell.Key] = true
				keys = append(keys, cell.Key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// generalizeKey replaces at least fanout contexts that differ in the value of a key alone by
// one, and reports whether there were such contexts.
func (g *group) generalizeKey(t *cluster.Table, key int32, fanout int) bool {
	numbers := map[uint64]int{} // contexts, by their hash with any value of the key
	wide := func(c context) context {
		c.generalize(t, key)
		return c
	}
	for _, c := range g.contexts {
		if c.place(t, key) >= 0 {
			numbers[wide(c).hash]++
		}
	}
	changed := false
	kept := g.contexts[:0]
	for _, c := range g.contexts {
		if w := wide(c); c.place(t, key) < 0 || numbers[w.hash] > 0 && numbers[w.hash] < fanout {
			kept = append(kept, c)
		} else if changed = true; numbers[w.hash] > 0 {
			numbers[w.hash] = 0
			kept = append(kept, w)
		}
	}
	g.contexts = kept
	return changed
}

func (g *group) rules(t *cluster.Table, o *Options) []rule.Rule {
	var rules []rule.Rule
	for _, c := range g.generalized(t, o) {
		if template, err := rule.NewTemplate(g.template(t, c)); err == nil {
			rules = append(rules, rule.Rule{Edit: rule.Rewrite{Template: template}})
		}
	}
	return rules
}

// template returns the keys of the rule of a context.
func (g *group) template(t *cluster.Table, c context) (keys []rule.Key) {
	for i, cell := range t.Rows[c.row].Cells {
		k := t.Key(cell)
		if c.any&(1<<i) != 0 {
			k.Value, k.Any = "", true
		}
		if cell.Key == g.key {
			if k.Edit = rule.DropKey; g.edit == rule.SetKey {
				k.Edit, k.To = rule.SetKey, t.Values[g.value]
			}
		}
		keys = append(keys, k)
	}
	if g.edit == rule.CopyKey {
		keys = append(keys, rule.Key{Name: t.Names[g.to], Absent: true, Edit: rule.CopyKey, To: t.Names[g.key]})
	}
	return keys
}
