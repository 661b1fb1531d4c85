package tree

import (
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// rounds is the number of rounds of the walk, after which its distribution is taken for
// stable.
const rounds = 100

type edge struct {
	to int32
	p  float64
}

// graph is the graph of Lei et al. (section 5.3): the nodes of the candidates, with edges for
// rules and from nodes to those above.
type graph struct {
	b        *tree
	vertices []int32 // nodes, ascending
	place    map[int32]int32
	edges    [][]edge // by vertex
	energy   []float64
}

func newGraph(b *tree, candidates []candidate) *graph {
	g := &graph{b: b, place: map[int32]int32{}}
	weights := map[int32]map[int32]float64{} // by node and node
	for i := range candidates {
		for _, p := range candidates[i].pairs {
			for _, n := range [...]int32{p.source, p.target} {
				if weights[n] == nil {
					weights[n] = map[int32]float64{}
				}
			}
			weights[p.source][p.target] = max(weights[p.source][p.target], 1-candidates[i].FPR())
		}
	}
	g.vertices = slices.Sorted(maps.Keys(weights))
	for at, n := range g.vertices {
		g.place[n] = int32(at)
	}
	for _, n := range g.vertices {
		out := weights[n]
		for above := b.nodes[n].parent; above != absent; above = b.nodes[above].parent {
			if weights[above] != nil {
				out[above] = 1
			}
		}
		var edges []edge
		sum := 0.0
		for _, to := range slices.Sorted(maps.Keys(out)) {
			edges = append(edges, edge{g.place[to], out[to]})
			sum += out[to]
		}
		for i := range edges {
			edges[i].p /= sum
		}
		g.edges = append(g.edges, edges)
	}
	return g
}

// walk sets the energy of the vertices. The energy of a node is at first its number of URLs.
// In each round half of a vertex' energy stays, and half flows along the edges. Without
// edges all of it stays.
func (g *graph) walk() {
	g.energy = make([]float64, len(g.vertices))
	for at, n := range g.vertices {
		g.energy[at] = float64(len(g.b.nodes[n].rows))
	}
	next := make([]float64, len(g.vertices))
	for range rounds {
		clear(next)
		for at, energy := range g.energy {
			if len(g.edges[at]) == 0 {
				next[at] += energy
				continue
			}
			next[at] += energy / 2
			for _, e := range g.edges[at] {
				next[e.to] += energy / 2 * e.p
			}
		}
		g.energy, next = next, g.energy
	}
}

// rises reports whether the target of a pair is a better aim than the source.
func (g *graph) rises(p pair) bool {
	source, target := aim{energy: g.energy[g.place[p.source]], node: p.source}, aim{energy: g.energy[g.place[p.target]], node: p.target}
	return source.less(target)
}

// selected returns the candidates that the graph selects, in their order: of the rules
// whose target has more energy than the source, and of the rules of a node with itself, for
// each set of URLs that rules apply to the rule whose target has the most energy. No rules
// make a circle, and none leaves a destination, that is, a node whose rules all go to nodes
// of less energy.
func (b *tree) selected(candidates []candidate) []candidate {
	g := newGraph(b, candidates)
	g.walk()
	best := map[string]int{}
	aims := make([]aim, len(candidates))
	for i := range candidates {
		aims[i] = g.aimOf(&candidates[i])
		where := whereOf(&candidates[i].Rule)
		if other, known := best[where]; aims[i].is && (!known || aims[other].less(aims[i])) {
			best[where] = i
		}
	}
	var all []candidate
	for i := range candidates {
		if at, known := best[whereOf(&candidates[i].Rule)]; known && at == i {
			all = append(all, candidates[i])
		}
	}
	return all
}

// aim is the target of a candidate.
type aim struct {
	energy float64
	node   int32
	is     bool // there is a target
}

// less reports whether another aim is better. Of equal energies the first node is better.
func (a aim) less(b aim) bool {
	return a.energy < b.energy || a.energy == b.energy && a.node > b.node
}

func (g *graph) aimOf(c *candidate) (best aim) {
	for _, p := range c.pairs {
		a := aim{g.energy[g.place[p.target]], p.target, true}
		if (p.source == p.target || g.rises(p)) && (!best.is || best.less(a)) {
			best = a
		}
	}
	return best
}

// whereOf returns a text of the URLs that a template fits.
func whereOf(r *rule.Rule) string {
	var where strings.Builder
	for k := range r.Rewrite().Template.Keys() {
		if k.Absent {
			continue
		}
		where.WriteString(k.Name)
		if !k.Any {
			where.WriteString(" " + k.Value)
		}
		where.WriteByte('\n')
	}
	return where.String()
}
