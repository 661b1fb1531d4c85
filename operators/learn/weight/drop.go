package weight

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"dustbuster/operators/learn/drops"
	"dustbuster/operators/rule"
)

// rested is a URL that a drop changes to a rest.
type rested struct {
	hash uint64 // of the rest: two rests are confused as rarely as the hashes of Numbers are equal
	url  uint32
	base uint32 // the page with the rest as its URL, if its evidence is known; else none
}

const none = math.MaxUint32

// cluster is a group: the URLs with one rest.
type cluster []rested

// clusters is the groups of an edit without a scope. A URL that is alone with its rest joins no pages, and is left out.
type clusters struct {
	edit   *rule.Rule
	all    []cluster
	byPath map[string][]cluster // by the path of the rest; nil: not made yet
}

func (w *Weigher) group(edit *rule.Rule) *clusters {
	g := &clusters{edit: edit}
	var all []rested
	urls, _ := w.index.MayChange(edit)
	w.each(urls, func(id int32) {
		rest, changed := edit.Apply(w.buf[:0], w.text)
		if changed && w.evidence(uint32(id)).Known() && pieces(w.text) <= drops.MaxPieces {
			w.buf = rest
			w.make(made{url: id}, rest)
		}
	}, func(m *made) {
		r := rested{m.hash, uint32(m.url), none}
		if m.listed && w.evidence(m.number).Known() {
			r.base = m.number
		}
		all = append(all, r)
	})
	slices.SortFunc(all, func(a, b rested) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.url, b.url)) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].hash == all[0].hash {
			n++
		}
		if n > 1 || all[0].base != none {
			g.all = append(g.all, all[:n])
		}
		all = all[n:]
	}
	return g
}

// rest returns the rest of a group, which is valid until the next text is made.
func (w *Weigher) rest(g *clusters, c cluster) []byte {
	w.text = append(w.text[:0], w.url(c[0].url)...)
	w.buf, _ = g.edit.Apply(w.buf[:0], w.text)
	return w.buf
}

func (w *Weigher) withPath(g *clusters, path string) []cluster {
	if g.byPath == nil {
		g.byPath = map[string][]cluster{}
		for _, c := range g.all {
			path, _, _ := bytes.Cut(w.rest(g, c), []byte("?"))
			g.byPath[string(path)] = append(g.byPath[string(path)], c)
		}
	}
	return g.byPath[path]
}

func pieces(url []byte) (n int) {
	for range rule.Query(url) {
		n++
	}
	return n
}

// against samples the pairs of the groups in the scope of a rule.
func (w *Weigher) against(g *clusters, r *rule.Rule) {
	all := g.all
	if scope := &r.Scope; scope.HasPath && !scope.IsWild() {
		all = w.withPath(g, scope.Path)
	}
	for _, c := range all {
		if w.stops() || r.Scope != (rule.Scope{}) && !r.Scope.Holds(w.rest(g, c)) || !w.isGroup(c, r) {
			continue
		}
		base := w.base(c)
		for _, m := range c {
			if m.url != base {
				w.add(m.url, base)
			}
		}
	}
}

// isGroup reports whether URLs with one rest are a group. A single value needs a listed rest
// with a size. Several names need a URL with all of them.
func (w *Weigher) isGroup(c cluster, r *rule.Rule) bool {
	d := r.Params()
	switch {
	case d.HasValue:
		return c[0].base != none
	case d.Other != "":
		return slices.ContainsFunc(c, func(m rested) bool {
			names := namesOf(w.url(m.url))
			for name := range d.Names() {
				if !names[name] {
					return false
				}
			}
			return len(names) <= drops.MaxPairNames
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
func (w *Weigher) base(c cluster) uint32 {
	if c[0].base != none {
		return c[0].base
	}
	return slices.MinFunc(c, func(u, v rested) int { return strings.Compare(w.url(u.url), w.url(v.url)) }).url
}
