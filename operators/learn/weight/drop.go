package weight

import (
	"bytes"
	"slices"
	"strings"

	"dustbuster/operators/learn/drops"
	"dustbuster/operators/rule"
)

// cluster is a group: the URLs with one rest.
type cluster struct {
	rest    string
	members []uint32 // URLs that the drop changes to rest
}

// clusters is the groups of an edit without a scope.
type clusters struct {
	all    []cluster
	byPath map[string][]int // the places in all, by the path of the rest
}

// eachDrop weighs the drops.
func (w *Weigher) eachDrop(rules []rule.Likely) {
	edits, order := byEdit(rules)
	if len(edits) == 0 {
		return
	}
	holders := w.holders(order)
	for _, edit := range order {
		g := w.group(&edit, w.seeking(&edit, holders))
		for _, i := range edits[edit] {
			if w.stopped {
				return
			}
			w.against(g, &rules[i].Rule)
			w.set(&rules[i])
		}
	}
}

// byEdit returns the drops with one edit and different scopes, and the edits in order.
func byEdit(rules []rule.Likely) (edits map[rule.Rule][]int, order []rule.Rule) {
	edits = map[rule.Rule][]int{}
	for i := range rules {
		r := rules[i].Rule
		if r.Kind != rule.Drop {
			continue
		}
		r.Scope = rule.Scope{}
		if edits[r] == nil {
			order = append(order, r)
		}
		edits[r] = append(edits[r], i)
	}
	return edits, order
}

// holders returns the URLs that hold each of the parameters, among the URLs that can be in
// a group.
func (w *Weigher) holders(edits []rule.Rule) map[string][]uint32 {
	holders := map[string][]uint32{}
	for i := range edits {
		for _, name := range []string{edits[i].Param, edits[i].Other} {
			if name != "" {
				holders[name] = nil
			}
		}
	}
	for id := range w.all {
		if w.stops(1) {
			break
		}
		url := []byte(w.url(uint32(id)))
		if !w.evidence(uint32(id)).Known() || pieces(url) > drops.MaxPieces {
			continue
		}
		for from, to := range rule.Query(url) {
			name, _, _ := bytes.Cut(url[from:to], []byte("="))
			all, ok := holders[string(name)]
			if n := len(all); ok && (n == 0 || all[n-1] != uint32(id)) {
				holders[string(name)] = append(all, uint32(id))
			}
		}
	}
	return holders
}

// seeking returns the URLs that an edit may change.
func (w *Weigher) seeking(edit *rule.Rule, holders map[string][]uint32) []uint32 {
	switch {
	case edit.Pattern != rule.Pattern{} || edit.InPath:
		return w.listed()
	case edit.Other == "":
		return holders[edit.Param]
	}
	both := slices.Concat(holders[edit.Param], holders[edit.Other])
	slices.Sort(both)
	return slices.Compact(both)
}

// listed returns the URLs that can be in a group.
func (w *Weigher) listed() (ids []uint32) {
	for id := range w.all {
		if url := []byte(w.url(uint32(id))); w.evidence(uint32(id)).Known() && pieces(url) <= drops.MaxPieces {
			ids = append(ids, uint32(id))
		}
	}
	return ids
}

// pieces returns the number of pieces of a query.
func pieces(url []byte) (n int) {
	for range rule.Query(url) {
		n++
	}
	return n
}

// group makes the groups of an edit.
func (w *Weigher) group(edit *rule.Rule, ids []uint32) *clusters {
	g := &clusters{byPath: map[string][]int{}}
	byRest := map[string]int{}
	for _, id := range ids {
		if w.stops(1) {
			break
		}
		rest, changed := edit.Apply(w.buf[:0], []byte(w.url(id)))
		if !changed {
			continue
		}
		w.buf = rest
		at, ok := byRest[string(rest)]
		if !ok {
			at = len(g.all)
			g.all = append(g.all, cluster{rest: string(rest)})
			byRest[g.all[at].rest] = at
			path, _, _ := bytes.Cut(rest, []byte("?"))
			g.byPath[string(path)] = append(g.byPath[string(path)], at)
		}
		g.all[at].members = append(g.all[at].members, id)
	}
	return g
}

// against samples the pairs of the groups in the scope of a rule.
func (w *Weigher) against(g *clusters, r *rule.Rule) {
	w.sample.reset()
	scope := &r.Scope
	if scope.HasPath && !scope.IsWild() {
		for _, at := range g.byPath[scope.Path] {
			w.inScope(&g.all[at], r)
		}
		return
	}
	for at := range g.all {
		w.inScope(&g.all[at], r)
	}
}

func (w *Weigher) inScope(c *cluster, r *rule.Rule) {
	if w.stops(1) || !r.Scope.Holds([]byte(c.rest)) || !w.isGroup(c, r) {
		return
	}
	base := w.base(c)
	for _, id := range c.members {
		if id == base {
			continue
		}
		if p, ok := w.pair(id, base); ok {
			w.sample.add(p)
		}
	}
}

// isGroup reports whether URLs with one rest are a group. A single value needs a listed rest
// with a size. Two names need a URL with both names.
func (w *Weigher) isGroup(c *cluster, r *rule.Rule) bool {
	switch {
	case r.HasValue:
		id, listed := w.number([]byte(c.rest))
		return listed && w.evidence(id).Known()
	case r.Other != "":
		return slices.ContainsFunc(c.members, func(id uint32) bool {
			names := namesOf(w.url(id))
			return names[r.Param] && names[r.Other] && len(names) <= drops.MaxPairNames
		})
	}
	return true
}

// namesOf returns the names of the parameters of a URL.
func namesOf(url string) map[string]bool {
	names := map[string]bool{}
	for from, to := range rule.Query([]byte(url)) {
		if name, _, _ := strings.Cut(url[from:to], "="); name != "" {
			names[name] = true
		}
	}
	return names
}

// base returns the URL that the members of a group are compared with.
func (w *Weigher) base(c *cluster) uint32 {
	if id, ok := w.number([]byte(c.rest)); ok && w.evidence(id).Known() {
		return id
	}
	base := c.members[0]
	for _, id := range c.members[1:] {
		if w.url(id) < w.url(base) {
			base = id
		}
	}
	return base
}
