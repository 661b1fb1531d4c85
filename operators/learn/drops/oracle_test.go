package drops

import (
	"maps"
	"slices"
	"strings"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// This file computes the definitions of the package comment over strings and maps.

type plainTarget struct {
	a, b     string // the first name, and further ones in byte order with ';' between them
	value    string // own value, if hasValue
	hasValue bool
}

func targetOf(names ...string) plainTarget {
	slices.Sort(names)
	return plainTarget{a: names[0], b: strings.Join(names[1:], ";")}
}

func (t plainTarget) names() []string {
	if t.b == "" {
		return []string{t.a}
	}
	return append([]string{t.a}, strings.Split(t.b, ";")...)
}

// within reports whether a target has some of the names of another, and not all.
func (t plainTarget) within(of plainTarget) bool {
	return !t.hasValue && len(t.names()) < len(of.names()) &&
		!slices.ContainsFunc(t.names(), func(name string) bool { return !slices.Contains(of.names(), name) })
}

// removes reports whether a drop of the target removes a parameter.
func (t plainTarget) removes(p oracle.Param) bool {
	if t.hasValue {
		return p.Name == t.a && !p.Bare && p.Value == t.value
	}
	return slices.Contains(t.names(), p.Name)
}

func (t plainTarget) rest(url string) string {
	if t.b == "" {
		return oracle.Without(url, t.removes)
	}
	for _, name := range t.names() {
		url = oracle.WithoutName(url, name)
	}
	return url
}

func (t plainTarget) rule(s rule.Scope, n plainCounts) rule.Likely {
	return rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: t.a, Other: t.b, Value: t.value, HasValue: t.hasValue}, Scope: s},
		Learner: "drops", Support: n.support, Comparable: n.comparable}
}

// counts are the pairs of a scope: all, and those that differ in each of several names.
type plainCounts struct {
	support, comparable int
	of                  [6]struct{ support, comparable int }
	paths               map[string]bool // of the groups
}

func (n *plainCounts) likely(t plainTarget, least int) bool {
	enough := func(support, comparable int) bool { return support >= least && 5*support >= 4*comparable }
	for i := range t.names() {
		if t.b != "" && !enough(n.of[i].support, n.of[i].comparable) {
			return false
		}
	}
	return enough(n.support, n.comparable)
}

type plain struct {
	o      Options
	listed map[string]evidence.Spans  // with evidence
	few    map[string]bool            // names of few values
	on     map[string]map[string]bool // the URLs with a name, of those that can be in groups
	groups map[plainTarget]map[string][]string
	alone  map[plainTarget]map[string][]string // groups without those that take part
	counts map[plainTarget]map[rule.Scope]*plainCounts
	known  map[plainTarget]map[rule.Scope]*plainCounts // what likely has returned
}

func newPlain(o Options, pages []evidence.Page) *plain {
	p := &plain{o: o.orDefaults(), listed: map[string]evidence.Spans{}, few: oracle.FewValued(pages, 40),
		on: map[string]map[string]bool{}, groups: map[plainTarget]map[string][]string{},
		counts: map[plainTarget]map[rule.Scope]*plainCounts{}, known: map[plainTarget]map[rule.Scope]*plainCounts{}}
	for _, page := range pages {
		if oracle.Known(o.Similarity, page.Evidence) {
			p.listed[page.URL] = page.Evidence
		}
	}
	p.group()
	p.count()
	return p
}

func (p *plain) group() {
	for url := range p.listed {
		if _, pieces, _ := oracle.Pieces(url); len(pieces) > 32 {
			continue
		}
		for _, q := range oracle.Params(url) {
			if p.on[q.Name] == nil {
				p.on[q.Name] = map[string]bool{}
			}
			p.on[q.Name][url] = true
		}
	}
	for url := range p.listed {
		if _, pieces, _ := oracle.Pieces(url); len(pieces) > 32 {
			continue
		}
		for t := range p.targets(url) {
			if p.groups[t] == nil {
				p.groups[t] = map[string][]string{}
			}
			p.groups[t][t.rest(url)] = append(p.groups[t][t.rest(url)], url)
		}
	}
	p.alone = map[plainTarget]map[string][]string{}
	for t, groups := range p.groups {
		p.alone[t] = maps.Clone(groups)
	}
	for t, groups := range p.groups {
		for rest := range groups {
			for _, part := range p.parts(t) {
				groups[rest] = append(groups[rest], p.alone[part][rest]...)
			}
		}
	}
}

// parts returns the targets whose members with one rest take part in a group of several names: of two
// names each; of more names those that come together, and the one more.
func (p *plain) parts(t plainTarget) (parts []plainTarget) {
	names := t.names()
	if len(names) == 2 {
		return []plainTarget{{a: names[0]}, {a: names[1]}}
	}
	for i, more := range names {
		if others := slices.Delete(slices.Clone(names), i, i+1); len(others) > 1 && p.together(others) && !p.together(names) {
			parts = append(parts, targetOf(others...), plainTarget{a: more})
		}
	}
	return parts
}

// together reports whether names are all that occur on the same URLs.
func (p *plain) together(names []string) bool {
	for name, on := range p.on {
		if maps.Equal(on, p.on[names[0]]) != slices.Contains(names, name) {
			return false
		}
	}
	return true
}

func (p *plain) targets(url string) map[plainTarget]bool {
	all, names := map[plainTarget]bool{}, map[string]bool{}
	for _, q := range oracle.Params(url) {
		names[q.Name] = true
		all[plainTarget{a: q.Name}] = true
		own := plainTarget{a: q.Name, value: q.Value, hasValue: true}
		if _, listed := p.listed[own.rest(url)]; !q.Bare && p.few[q.Name] && listed {
			all[own] = true
		}
	}
	for a := range names {
		for b := range names {
			if a < b && len(names) <= 8 {
				all[plainTarget{a: a, b: b}] = true
			}
		}
		var group []string // that comes together with a
		for b := range names {
			if maps.Equal(p.on[a], p.on[b]) {
				group = append(group, b)
			}
		}
		if len(names) > 8 || len(group) < 2 || len(group) > 6 {
			continue
		}
		all[targetOf(group...)] = true
		for more := range names {
			if !slices.Contains(group, more) && len(group) < 6 {
				all[targetOf(append(slices.Clone(group), more)...)] = true
			}
		}
	}
	return all
}

func (p *plain) count() {
	for t, groups := range p.groups {
		p.counts[t] = map[rule.Scope]*plainCounts{}
		for rest, members := range groups {
			slices.Sort(members)
			base := rest
			if _, listed := p.listed[rest]; !listed {
				base, members = members[0], members[1:]
			}
			if len(members) == 0 {
				continue
			}
			for s := range p.scopes(rest) {
				n := p.counts[t][s]
				if n == nil {
					n = &plainCounts{paths: map[string]bool{}}
					p.counts[t][s] = n
				}
				n.paths[oraclePath(rest)] = true
				for _, u := range members {
					p.add(n, t, u, base)
				}
			}
		}
		maps.DeleteFunc(p.counts[t], func(s rule.Scope, n *plainCounts) bool { return starred(s.Path) && len(n.paths) == 1 })
	}
}

func (p *plain) add(n *plainCounts, t plainTarget, u, base string) {
	e, f := p.listed[u], p.listed[base]
	if !oracle.Comparable(p.o.Similarity, e, f) {
		return
	}
	similar := 0
	if p.o.Similarity.Similar(e, f) {
		similar = 1
	}
	n.comparable++
	n.support += similar
	for i, name := range t.names() {
		if t.b != "" && !slices.Equal(piecesNamed(u, name), piecesNamed(base, name)) {
			n.of[i].comparable++
			n.of[i].support += similar
		}
	}
}

func piecesNamed(url, name string) (list []oracle.Param) {
	for _, q := range oracle.Params(url) {
		if q.Name == name {
			list = append(list, q)
		}
	}
	return list
}

func oraclePath(rest string) string {
	path, _, _ := strings.Cut(rest, "?")
	return path
}

// scopes returns the scopes of a group with this rest.
func (p *plain) scopes(rest string) map[rule.Scope]bool {
	all := map[rule.Scope]bool{}
	for _, where := range p.conditions(rest) {
		all[rule.Scope{Where: where}] = true
		for _, path := range pathsOf(oraclePath(rest)) {
			all[rule.Scope{Path: path, HasPath: true, Where: where}] = true
		}
	}
	return all
}

// pathsOf returns a path and the path with one segment as a wildcard, or nothing if a
// segment reads "*".
func pathsOf(path string) []string {
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return []string{path}
	}
	segments := parts[1 : len(parts)-1]
	if slices.Contains(segments, "*") {
		return nil
	}
	all := []string{path}
	for i, s := range segments {
		if s != "" && strings.Count(path, "/") <= 8 {
			star := slices.Clone(parts)
			star[1+i] = "*"
			all = append(all, strings.Join(star, "/"))
		}
	}
	return all
}

func (p *plain) conditions(rest string) [][2]rule.Condition {
	single := map[rule.Condition]bool{}
	names := map[string]bool{}
	for _, q := range oracle.Params(rest) {
		if q.Bare {
			continue
		}
		names[q.Name] = true
		single[rule.Condition{Param: q.Name, Valued: true}] = true
		if p.few[q.Name] {
			single[rule.Condition{Param: q.Name, Value: q.Value, HasValue: true}] = true
		}
	}
	all := [][2]rule.Condition{{}}
	for c := range single {
		all = append(all, [2]rule.Condition{c})
		for d := range single {
			if c.Param < d.Param && len(names) <= 6 {
				all = append(all, [2]rule.Condition{c, d})
			}
		}
	}
	return all
}

// wider reports whether a scope is another one and wider.
func wider(w, s rule.Scope) bool { return w != s && sameOrWider(w, s) }

func sameOrWider(w, s rule.Scope) bool {
	if !widerPath(w, s) {
		return false
	}
	for _, c := range w.Where {
		met := c.Param == ""
		for _, d := range s.Where {
			met = met || c == d || c.Param == d.Param && !c.HasValue
		}
		if !met {
			return false
		}
	}
	return true
}

func widerPath(w, s rule.Scope) bool {
	if !w.HasPath || w.HasPath == s.HasPath && w.Path == s.Path {
		return true
	}
	return s.HasPath && starred(w.Path) && !starred(s.Path) && slices.Contains(pathsOf(s.Path), w.Path)
}

func (p *plain) likely(t plainTarget) map[rule.Scope]*plainCounts {
	if likely, known := p.known[t]; known {
		return likely
	}
	likely := map[rule.Scope]*plainCounts{}
	for s, n := range p.counts[t] {
		if n.likely(t, p.o.MinSupport) {
			likely[s] = n
		}
	}
	p.known[t] = likely
	return likely
}

func covered(s rule.Scope, likely map[rule.Scope]*plainCounts, by func(w, s rule.Scope) bool) bool {
	for w := range likely {
		if by(w, s) {
			return true
		}
	}
	return false
}

// listed returns the rules of a list.
func (p *plain) list() []rule.Likely {
	rules := []rule.Likely{}
	for t := range p.groups {
		likely := p.likely(t)
		for s, n := range likely {
			if !covered(s, likely, wider) && !p.fewer(t, s) {
				rules = append(rules, t.rule(s, *n))
			}
		}
	}
	return sorted(rules)
}

// fewer reports whether each name of several, or the name of an own value, is one of fewer names that
// are likely in a scope or in a wider one.
func (p *plain) fewer(t plainTarget, s rule.Scope) bool {
	if t.hasValue {
		return covered(s, p.likely(plainTarget{a: t.a}), sameOrWider)
	}
	has := map[string]bool{}
	for of := range p.counts {
		if of.within(t) && covered(s, p.likely(of), sameOrWider) {
			for _, name := range of.names() {
				has[name] = true
			}
		}
	}
	return len(has) == len(t.names())
}

// followers returns the rules of a rule's target in narrower scopes, of which every wider
// likely scope is refuted, and no wider refuted scope has the same counts.
func (p *plain) followers(r rule.Likely, refuted map[rule.Scope]bool) []rule.Likely {
	t := plainTarget{r.Rule.Params().Param, r.Rule.Params().Other, r.Rule.Params().Value, r.Rule.Params().HasValue}
	likely := p.likely(t)
	var rules []rule.Likely
	for s, n := range likely {
		open := func(w, s rule.Scope) bool { return wider(w, s) && !refuted[w] }
		same := func(w, s rule.Scope) bool {
			m := likely[w]
			return wider(w, s) && m.support == n.support && m.comparable == n.comparable
		}
		if wider(r.Rule.Scope, s) && !refuted[s] && !covered(s, likely, open) && !covered(s, likely, same) {
			rules = append(rules, t.rule(s, *n))
		}
	}
	return sorted(rules)
}
