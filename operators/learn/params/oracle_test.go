package params

import (
	"slices"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// This file computes the definitions of the package comment over strings and maps.

// oracleLikely computes the likely drops of a list from nothing.
func oracleLikely(o Options, pages []evidence.Page) []rule.Likely {
	o = o.orDefaults()
	few := oracle.FewValued(pages, o.MaxValues)
	type scoped struct {
		n string
		s rule.Scope
	}
	support, comparables := map[scoped]int{}, map[scoped]int{}
	for _, g := range oracleGroups(o, pages) {
		if !comparableGroup(o, g.members) {
			continue
		}
		for _, s := range scopesOf(g.rest, few) {
			comparables[scoped{g.n, s}]++
			if similarGroup(o, g.members) {
				support[scoped{g.n, s}]++
			}
		}
	}
	likely := func(n string, s rule.Scope) bool {
		k := scoped{n, s}
		return comparables[k] > 0 && support[k] >= o.MinSupport && 10*support[k] >= 9*comparables[k]
	}
	var rules []rule.Likely
	for k := range comparables {
		if likely(k.n, k.s) && !slices.ContainsFunc(widerThan(k.s), func(w rule.Scope) bool { return likely(k.n, w) }) {
			rules = append(rules, drop(k.n, k.s, support[k], comparables[k]))
		}
	}
	slices.SortFunc(rules, rule.Compare)
	return rules
}

// drop returns a likely drop with its counts.
func drop(n string, s rule.Scope, support, comparable int) rule.Likely {
	return rule.Likely{Learner: Name, Rule: rule.Rule{Edit: rule.Drop{Param: n}, Scope: s}, Support: support, Comparable: comparable}
}

type oracleGroup struct {
	n, rest string
	members []evidence.Spans
}

func oracleGroups(o Options, pages []evidence.Page) []oracleGroup {
	type id struct{ n, rest string }
	members := map[id][]evidence.Spans{}
	sized := map[string]evidence.Spans{}
	for _, p := range pages {
		if !oracle.Known(o.Similarity, p.Evidence) {
			continue
		}
		sized[p.URL] = p.Evidence
		params := oracle.Params(p.URL)
		if len(params) > o.MaxParams {
			continue
		}
		done := map[string]bool{}
		for _, q := range params {
			if !done[q.Name] {
				done[q.Name] = true
				k := id{q.Name, oracle.WithoutName(p.URL, q.Name)}
				members[k] = append(members[k], p.Evidence)
			}
		}
	}
	var groups []oracleGroup
	for k, m := range members {
		if e, ok := sized[k.rest]; ok && len(oracle.Params(k.rest)) <= o.MaxParams {
			m = append(m, e)
		}
		groups = append(groups, oracleGroup{k.n, k.rest, m})
	}
	return groups
}

func comparableGroup(o Options, members []evidence.Spans) bool {
	for i, e := range members {
		for _, f := range members[:i] {
			if oracle.Comparable(o.Similarity, e, f) {
				return true
			}
		}
	}
	return false
}

// similarGroup applies the test of evidence.Similarity to every two members. Gaps are
// measured against the largest size of the whole group.
func similarGroup(o Options, members []evidence.Spans) bool {
	if o.Similarity.Off {
		return true
	}
	largest := map[uint8]int64{}
	for _, e := range members {
		for _, s := range e.Sizes() {
			largest[s.Class] = max(largest[s.Class], s.Max)
		}
	}
	for i, e := range members {
		for _, f := range members[:i] {
			d, one := oracle.OneDigest(e)
			d2, two := oracle.OneDigest(f)
			if one && two && d != d2 {
				return false
			} else if one && two {
				continue
			}
			for _, c := range oracle.Common(e, f) {
				gap := max(c[0].Min-c[1].Max, c[1].Min-c[0].Max, 0)
				if float64(gap) > o.Similarity.Tolerance*float64(largest[c[0].Class]) {
					return false
				}
			}
		}
	}
	return true
}

// scopesOf returns the scopes of a group with this rest, each once.
func scopesOf(rest string, few map[string]bool) []rule.Scope {
	path, _, _ := oracle.Pieces(rest)
	set := map[rule.Scope]bool{{}: true, {HasPath: true, Path: path}: true}
	for _, m := range oracle.Params(rest) {
		set[rule.Scope{HasPath: true, Path: path, Where: rule.With(m.Name)}] = true
		if !m.Bare && few[m.Name] {
			set[rule.Scope{Where: rule.Where(m.Name, m.Value)}] = true
			set[rule.Scope{HasPath: true, Path: path, Where: rule.Where(m.Name, m.Value)}] = true
		}
	}
	var list []rule.Scope
	for s := range set {
		list = append(list, s)
	}
	return list
}

func widerThan(s rule.Scope) []rule.Scope {
	site, path := rule.Scope{}, rule.Scope{HasPath: true, Path: s.Path}
	param := rule.Scope{HasPath: true, Path: s.Path, Where: rule.With(s.Where[0].Param)}
	value := rule.Scope{Where: rule.Where(s.Where[0].Param, s.Where[0].Value)}
	switch s {
	case site:
		return nil
	case path, value:
		return []rule.Scope{site}
	case param:
		return []rule.Scope{site, path}
	}
	return []rule.Scope{site, path, value, param}
}
