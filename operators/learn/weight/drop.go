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

func (w *Weigher) group(edit *rule.Rule) *clusters {
	g := &clusters{byPath: map[string][]int{}}
	byRest := map[string]int{}
	urls, _ := w.index.MayChange(edit)
	for n := range urls {
		if w.stops() {
			break
		}
		id := uint32(n)
		w.text = append(w.text[:0], w.url(id)...)
		rest, changed := edit.Apply(w.buf[:0], w.text)
		if !changed || !w.evidence(id).Known() || pieces(w.text) > drops.MaxPieces {
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

func pieces(url []byte) (n int) {
	for range rule.Query(url) {
		n++
	}
	return n
}

// against samples the pairs of the groups in the scope of a rule.
func (w *Weigher) against(g *clusters, r *rule.Rule) {
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
	if w.stops() || !r.Scope.Holds([]byte(c.rest)) || !w.isGroup(c, r) {
		return
	}
	base := w.base(c)
	for _, id := range c.members {
		if id != base {
			w.add(id, base)
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
	return slices.MinFunc(c.members, func(u, v uint32) int { return strings.Compare(w.url(u), w.url(v)) })
}
