package tree

import (
	"maps"
	"math"
	"slices"
	"strings"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// This file is the definition of the package comment, written plainly: sets of URLs as maps,
// all pairs of nodes, and all pairs of URLs.

// plainURL is a URL with its keys, as of [worlds.Keys].
type plainURL struct {
	url     string
	cluster int
	keys    map[string]string
}

const noValue = "\x00none"

func (u plainURL) value(key string) string {
	if v, has := u.keys[key]; has {
		return v
	}
	return noValue
}

func plainURLs(clusters [][]string) (all []plainURL) {
	for n, c := range clusters {
		for _, url := range c {
			if keys, ok := worlds.Keys(url); ok && len(c) > 1 {
				all = append(all, plainURL{url, n, keys})
			}
		}
	}
	return all
}

// keysIn returns the keys of URLs, in order.
func keysIn(urls []plainURL) []string {
	names := map[string]bool{}
	for _, u := range urls {
		for name := range u.keys {
			names[name] = true
		}
	}
	return worlds.SortedKeys(names)
}

// plainNode is a set of URLs.
type plainNode struct {
	urls []plainURL
}

// plainBuild returns the nodes of a tree, each before the nodes below.
func plainBuild(urls []plainURL, done []string) []plainNode {
	if len(urls) == 0 {
		return nil
	}
	nodes := []plainNode{{urls}}
	if len(urls) < 3 {
		return nodes
	}
	split, least := "", math.Inf(1)
	for _, key := range keysIn(urls) {
		counts := countsOf(urls, key)
		if slices.Contains(done, key) || len(counts) == 1 {
			continue
		}
		entropy := 0.0
		for _, n := range slices.Sorted(maps.Values(counts)) {
			p := float64(n) / float64(len(urls))
			entropy -= p * math.Log2(p)
		}
		if entropy < least-1e-9 {
			split, least = key, entropy
		}
	}
	if split == "" {
		return nodes
	}
	counts := countsOf(urls, split)
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] })
	last, decline := 0, -1.0
	for i, v := range values {
		next := 1
		if i+1 < len(values) {
			next = counts[values[i+1]]
		}
		if d := math.Log(float64(counts[v])) - math.Log(float64(next)); d > decline+1e-9 {
			last, decline = i, d
		}
	}
	parts := map[string][]plainURL{}
	salient := []string{}
	for _, v := range values[:last+1] {
		if counts[v] >= 3 {
			salient = append(salient, v)
		}
	}
	if len(salient) == 0 {
		return nodes
	}
	for _, u := range urls {
		v := u.value(split)
		if !slices.Contains(salient, v) {
			v = "*"
		}
		parts[v] = append(parts[v], u)
	}
	for _, part := range parts {
		nodes = append(nodes, plainBuild(part, append(slices.Clone(done), split))...)
	}
	return nodes
}

func countsOf(urls []plainURL, key string) map[string]int {
	counts := map[string]int{}
	for _, u := range urls {
		counts[u.value(key)]++
	}
	return counts
}

// clustersIn returns the URLs of a node by cluster.
func clustersIn(n plainNode) map[int][]plainURL {
	clusters := map[int][]plainURL{}
	for _, u := range n.urls {
		clusters[u.cluster] = append(clusters[u.cluster], u)
	}
	return clusters
}

// isPair is formula 6, and the duplicate rate for a node with itself.
func isPair(s, t plainNode, same bool) bool {
	in, out := clustersIn(s), clustersIn(t)
	if same {
		return 1-float64(len(in))/float64(len(s.urls)) >= .5
	}
	common := 0
	for c := range in {
		if out[c] == nil {
			continue
		}
		both := map[string]bool{}
		for _, u := range slices.Concat(in[c], out[c]) {
			both[u.url] = true
		}
		common += len(both)
	}
	return float64(common)/float64(len(s.urls)+len(t.urls)) >= .5
}

// plainOperation returns the operation of a key of the target: "set" or "copy" with a value
// or key, or "drop".
func plainOperation(s, t plainNode, key string) (op, arg string) {
	counts := countsOf(t.urls, key)
	if len(counts) == 1 {
		for v := range counts {
			return "set", v
		}
	}
	delete(counts, noValue)
	best, most := "", -1
	for _, from := range keysIn(s.urls) {
		shared := 0
		for v := range countsOf(s.urls, from) {
			if counts[v] > 0 {
				shared++
			}
		}
		if shared > most || shared == most && from == key {
			best, most = from, shared
		}
	}
	if 2*most <= len(counts) {
		return "drop", ""
	}
	clusters, several := 0, 0
	in := clustersIn(s)
	for c, urls := range clustersIn(t) {
		if in[c] != nil {
			clusters++
			if len(countsOf(urls, key)) > 1 {
				several++
			}
		}
	}
	if 2*several > clusters {
		return "drop", ""
	}
	return "copy", best
}

// plainRules returns the rules of a pair, for the sets of keys of the URLs in common clusters.
func plainRules(s, t plainNode) (rules []rule.Rule) {
	shapes, in := map[string][]string{}, clustersIn(t)
	for _, u := range s.urls {
		if in[u.cluster] == nil {
			continue
		}
		keys := keysIn([]plainURL{u})
		shapes[strings.Join(keys, "\n")] = keys
	}
	for _, shape := range shapes {
		if template, err := rule.NewTemplate(plainKeys(shape, s, t)); err == nil {
			rules = append(rules, rule.Rule{Edit: rule.Rewrite{Template: template}})
		}
	}
	return rules
}

// plainKeys returns the keys of a template, or none.
func plainKeys(shape []string, s, t plainNode) []rule.Key {
	var keys []rule.Key
	targets := keysIn(t.urls)
	for _, name := range shape {
		k := rule.Key{Name: name, Any: true}
		counts := countsOf(s.urls, name)
		delete(counts, noValue)
		if len(counts) == 1 {
			for v := range counts {
				k.Value, k.Any = v, false
			}
		}
		if bare := worlds.IsBare(name); bare && k.Any {
			return nil
		} else if bare {
			k = rule.Key{Name: k.Value, Any: true}
		}
		op, arg := "drop", ""
		if slices.Contains(targets, name) {
			op, arg = plainOperation(s, t, name)
		}
		switch {
		case op == "drop":
			k.Edit = rule.DropKey
		case worlds.IsBare(name):
			if op == "set" && k.Name != arg || op == "copy" && arg != name {
				return nil
			}
		case op == "set" && (k.Any || k.Value != arg):
			k.Edit, k.To = rule.SetKey, arg
		case op == "copy" && arg != name:
			if !slices.Contains(shape, arg) || worlds.IsBare(arg) {
				return nil
			}
			k.Edit, k.To = rule.CopyKey, arg
		}
		keys = append(keys, k)
	}
	for _, name := range targets {
		if slices.Contains(shape, name) {
			continue
		}
		op, arg := plainOperation(s, t, name)
		switch {
		case op == "drop" || op == "copy" && arg == name:
			continue
		case worlds.IsBare(name) || op == "copy" && (!slices.Contains(shape, arg) || worlds.IsBare(arg)):
			return nil
		case op == "set":
			keys = append(keys, rule.Key{Name: name, Absent: true, Edit: rule.SetKey, To: arg})
		default:
			keys = append(keys, rule.Key{Name: name, Absent: true, Edit: rule.CopyKey, To: arg})
		}
	}
	return keys // NewTemplate refuses several absent keys, and absent segments
}

// plainCandidate is a rule with its figures, and the pairs of nodes that made it.
type plainCandidate struct {
	cluster.Learned
	pairs [][2]int
}

// plainCandidates returns the nodes of a clustering's tree, and the candidates of their pairs.
func plainCandidates(clusters [][]string) (nodes []plainNode, all map[rule.Rule]*plainCandidate) {
	nodes = plainBuild(plainURLs(clusters), nil)
	all = map[rule.Rule]*plainCandidate{}
	for i, s := range nodes {
		for k, t := range nodes {
			if !isPair(s, t, i == k) {
				continue
			}
			for _, r := range plainRules(s, t) {
				if all[r] == nil {
					f := worlds.JudgeRule(clusters, r)
					all[r] = &plainCandidate{Learned: cluster.Learned{Rule: r, Support: f.Support, Applied: f.Applied, False: f.False}}
				}
				all[r].pairs = append(all[r].pairs, [2]int{i, k})
			}
		}
	}
	return nodes, all
}

// plainDeployed returns the rules that the graph selects, best first.
func plainDeployed(clusters [][]string) (rules []rule.Rule) {
	nodes, all := plainCandidates(clusters)
	maps.DeleteFunc(all, func(_ rule.Rule, c *plainCandidate) bool { return c.Support < 3 || c.FPR() > .05 })
	edges := map[int]map[int]float64{} // between the nodes of candidates
	for _, c := range all {
		for _, p := range c.pairs {
			for _, n := range p {
				if edges[n] == nil {
					edges[n] = map[int]float64{}
				}
			}
			edges[p[0]][p[1]] = max(edges[p[0]][p[1]], 1-c.FPR())
		}
	}
	for below := range edges {
		for above := range edges {
			if len(nodes[above].urls) > len(nodes[below].urls) && slices.ContainsFunc(nodes[above].urls, func(u plainURL) bool { return u.url == nodes[below].urls[0].url }) {
				edges[below][above] = 1
			}
		}
	}
	energy := map[int]float64{}
	for n := range edges {
		energy[n] = float64(len(nodes[n].urls))
	}
	for range 100 {
		next := map[int]float64{}
		for n, e := range energy {
			sum := 0.0
			for _, w := range edges[n] {
				sum += w
			}
			stays := e / 2
			if sum == 0 {
				stays = e
			}
			next[n] += stays
			for to, w := range edges[n] {
				next[to] += e / 2 * w / sum
			}
		}
		energy = next
	}
	best := map[string]rule.Rule{} // by the URLs that a rule applies to
	most := map[string]float64{}
	for _, r := range slices.SortedFunc(maps.Keys(all), func(a, b rule.Rule) int { return all[a].Compare(all[b].Learned) }) {
		for _, p := range all[r].pairs {
			where := whereOf(&r)
			if e := energy[p[1]]; (p[0] == p[1] || e > energy[p[0]]) && e > most[where] {
				best[where], most[where] = r, e
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b rule.Rule) int { return all[a].Compare(all[b].Learned) })
}
