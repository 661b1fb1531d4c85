package params

import (
	"slices"
	"strings"

	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// This file computes the definitions of the package comment over strings and maps.

// page is a URL of the list with its evidence.
type page struct {
	url string
	e   evidence.Spans
}

type param struct {
	name, value string
	bare        bool
}

// pathAndPieces splits a URL at its first '?' and the query at '&' and ';'.
func pathAndPieces(url string) (path string, pieces []string, has bool) {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return path, nil, false
	}
	return path, strings.Split(strings.ReplaceAll(query, ";", "&"), "&"), true
}

func paramOf(piece string) (param, bool) {
	name, value, valued := strings.Cut(piece, "=")
	return param{name, value, !valued}, name != ""
}

func paramsOf(url string) (list []param) {
	_, pieces, _ := pathAndPieces(url)
	for _, s := range pieces {
		if p, ok := paramOf(s); ok {
			list = append(list, p)
		}
	}
	return list
}

// restOf removes the parameters of a name one at a time from the left.
func restOf(url, name string) string {
	for {
		shorter, ok := removeFirst(url, name)
		if !ok {
			return url
		}
		url = shorter
	}
}

func removeFirst(url, name string) (string, bool) {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return url, false
	}
	from := 0
	for from <= len(query) {
		to := from + strings.IndexAny(query[from:]+"&", "&;")
		if p, ok := paramOf(query[from:to]); ok && p.name == name {
			switch {
			case to < len(query):
				query = query[:from] + query[to+1:]
			case from > 0:
				query = query[:from-1]
			default:
				query = ""
			}
			if query == "" {
				return path, true
			}
			return path + "?" + query, true
		}
		from = to + 1
	}
	return url, false
}

// oracle computes the likely drops of a list from nothing.
func oracle(o Options, pages []page) []Rule {
	o = o.orDefaults()
	few := fewValues(pages, o.MaxValues)
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
	rules := []Rule{}
	for k := range comparables {
		if likely(k.n, k.s) && !slices.ContainsFunc(widerThan(k.s), func(w rule.Scope) bool { return likely(k.n, w) }) {
			rules = append(rules, Rule{k.n, k.s, support[k], comparables[k]})
		}
	}
	slices.SortFunc(rules, Compare)
	return rules
}

// fewValues returns the parameters whose values count.
func fewValues(pages []page, most int) map[string]bool {
	seen := map[string]map[string]bool{}
	for _, p := range pages {
		for _, q := range paramsOf(p.url) {
			if !q.bare {
				if seen[q.name] == nil {
					seen[q.name] = map[string]bool{}
				}
				seen[q.name][q.value] = true
			}
		}
	}
	few := map[string]bool{}
	for n, values := range seen {
		few[n] = len(values) <= most
	}
	return few
}

type oracleGroup struct {
	n, rest string
	members []evidence.Spans
}

func oracleGroups(o Options, pages []page) []oracleGroup {
	type id struct{ n, rest string }
	members := map[id][]evidence.Spans{}
	sized := map[string]evidence.Spans{}
	for _, p := range pages {
		if !known(o, p.e) {
			continue
		}
		sized[p.url] = p.e
		params := paramsOf(p.url)
		if len(params) > o.MaxParams {
			continue
		}
		done := map[string]bool{}
		for _, q := range params {
			if !done[q.name] {
				done[q.name] = true
				k := id{q.name, restOf(p.url, q.name)}
				members[k] = append(members[k], p.e)
			}
		}
	}
	var groups []oracleGroup
	for k, m := range members {
		if e, ok := sized[k.rest]; ok && len(paramsOf(k.rest)) <= o.MaxParams {
			m = append(m, e)
		}
		groups = append(groups, oracleGroup{k.n, k.rest, m})
	}
	return groups
}

func known(o Options, e evidence.Spans) bool {
	_, digest := e.Digest()
	return o.Similarity.Off || digest || len(e.Sizes()) > 0
}

func comparableGroup(o Options, members []evidence.Spans) bool {
	for i, e := range members {
		for _, f := range members[:i] {
			if _, _, ok := bothDigests(e, f); ok || o.Similarity.Off || len(commonClasses(e, f)) > 0 {
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
			if d, d2, ok := bothDigests(e, f); ok {
				if d != d2 {
					return false
				}
				continue
			}
			for _, c := range commonClasses(e, f) {
				gap := max(c[0].Min-c[1].Max, c[1].Min-c[0].Max, 0)
				if float64(gap) > o.Similarity.Tolerance*float64(largest[c[0].Class]) {
					return false
				}
			}
		}
	}
	return true
}

func bothDigests(e, f evidence.Spans) (d, d2 int64, ok bool) {
	d, ok = e.Digest()
	d2, ok2 := f.Digest()
	return d, d2, ok && ok2
}

func commonClasses(e, f evidence.Spans) (list [][2]evidence.Span) {
	for _, s := range e.Sizes() {
		for _, s2 := range f.Sizes() {
			if s.Class == s2.Class {
				list = append(list, [2]evidence.Span{s, s2})
			}
		}
	}
	return list
}

// scopesOf returns the scopes of a group with this rest, each once.
func scopesOf(rest string, few map[string]bool) []rule.Scope {
	path, _, _ := pathAndPieces(rest)
	set := map[rule.Scope]bool{{}: true, {HasPath: true, Path: path}: true}
	for _, m := range paramsOf(rest) {
		set[rule.Scope{HasPath: true, Path: path, Param: m.name}] = true
		if !m.bare && few[m.name] {
			set[rule.Scope{Param: m.name, HasValue: true, Value: m.value}] = true
			set[rule.Scope{HasPath: true, Path: path, Param: m.name, HasValue: true, Value: m.value}] = true
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
	param := rule.Scope{HasPath: true, Path: s.Path, Param: s.Param}
	value := rule.Scope{Param: s.Param, HasValue: true, Value: s.Value}
	switch kind(&s) {
	case 1:
		return nil
	case 2, 3:
		return []rule.Scope{site}
	case 4:
		return []rule.Scope{site, path}
	}
	return []rule.Scope{site, path, value, param}
}
