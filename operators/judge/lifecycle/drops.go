package lifecycle

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/except"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	urlquery "dustbuster/operators/url/query"
)

// dropFinder finds the drops that are likely by the sizes of the forms.
type dropFinder struct {
	site  string
	o     *Options
	forms *forms
	index *search.Index
}

// mostCompared bounds the number of members of a group that are compared pairwise.
const mostCompared = 8

// all returns the drops that are likely among the forms, each with its support, in the
// order of section 7. O(forms · parameters).
func (d *dropFinder) all() (all []candidate) {
	names := map[string]bool{}
	for _, form := range d.forms.texts {
		_, query, _ := strings.Cut(form, "?")
		for _, piece := range pieces(query) {
			if name, _, _ := strings.Cut(piece, "="); name != "" {
				names[name] = true
			}
		}
	}
	for name := range names {
		all = append(all, d.likelyDrops(&rule.Rule{Kind: rule.Drop, Param: name}, func(rule.Scope) bool { return true })...)
	}
	slices.SortFunc(all, compareDrops)
	return all
}

// narrower returns the scopes within a drop's scope that are likely by themselves. The
// algorithm is the counting of section 7 for one parameter, over forms. A scope covered by
// a wider likely scope is left out. O(forms with the parameter · members of a group).
func (d *dropFinder) narrower(r *rule.Rule) (all []rule.Rule) {
	for _, c := range d.likelyDrops(r, func(s rule.Scope) bool { return inside(s, r.Scope.Bare()) }) {
		all = append(all, c.rule)
	}
	return all
}

// likelyDrops returns scopes of a drop's parameter within the rule's prefix in which the
// drop is likely by the sizes of the forms. The function among selects the scopes
// considered.
func (d *dropFinder) likelyDrops(r *rule.Rule, among func(rule.Scope) bool) (all []candidate) {
	counts := map[rule.Scope]*tally{}
	for rest, group := range d.groups(r) {
		comparable, similar := d.allAlike(group)
		if !comparable {
			continue
		}
		for s := range scopesOf(rest) {
			if among(s) {
				t := counts[s]
				if t == nil {
					t = &tally{}
					counts[s] = t
				}
				if similar {
					t.positives++
				} else {
					t.negatives++
				}
			}
		}
	}
	few := d.fewValued(counts)
	likely := map[rule.Scope]bool{}
	for s, t := range counts {
		likely[s] = t.positives >= d.o.MinGain && 10*t.positives >= 9*(t.positives+t.negatives) && few(s)
	}
	for s, is := range likely {
		if is && !covered(s, likely) {
			n := *r
			n.Scope = s
			n.Scope.Prefix = r.Scope.Prefix
			n.Except = except.Within(r, &n.Scope)
			all = append(all, candidate{id: rule.ID(d.site, &n), rule: n, support: counts[s].positives})
		}
	}
	slices.SortFunc(all, compareDrops)
	return all
}

func compareDrops(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.support, a.support), rule.CompareParams(&a.rule, &b.rule))
}

// groups returns the forms with a drop's parameter, by the rest of the form without the
// parameter. If the rest is itself a form, the rest is a member of the group.
func (d *dropFinder) groups(r *rule.Rule) map[string][]int32 {
	groups := map[string][]int32{}
	among, _ := d.index.MayChange(r)
	for n := range among {
		if !strings.HasPrefix(d.forms.texts[n], r.Scope.Prefix) {
			continue
		}
		if rest, has := urlquery.Rest([]byte(d.forms.texts[n]), r.Param); has {
			groups[string(rest)] = append(groups[string(rest)], n)
		}
	}
	for rest, group := range groups {
		if n, known := d.forms.number[rest]; known {
			groups[rest] = append(group, n)
		}
	}
	return groups
}

// allAlike reports whether the members of a group can be compared, and whether they are
// likely to be similar.
func (d *dropFinder) allAlike(group []int32) (comparable, similar bool) {
	group = slices.DeleteFunc(slices.Clone(group), func(n int32) bool { return len(d.forms.evidence(n)) == 0 })
	group = group[:min(len(group), mostCompared)]
	for i, a := range group {
		for _, b := range group[:i] {
			if !alike(d.o, d.forms.page(a), d.forms.page(b)) {
				return true, false
			}
		}
	}
	return len(group) > 1, len(group) > 1
}

// scopesOf returns the set of scopes that contain a rest. A path that would be a wildcard
// is in none.
func scopesOf(rest string) map[rule.Scope]bool {
	path, query, _ := strings.Cut(rest, "?")
	under := rule.Scope{Path: path, HasPath: true}
	all := map[rule.Scope]bool{{}: true, under: true}
	for _, piece := range pieces(query) {
		name, value, valued := strings.Cut(piece, "=")
		if name == "" {
			continue
		}
		under.Where = rule.With(name)
		all[under] = true
		if valued {
			under.Where = rule.Where(name, value)
			all[under] = true
			all[rule.Scope{Where: under.Where}] = true
		}
	}
	if under.IsWild() {
		maps.DeleteFunc(all, func(s rule.Scope, _ bool) bool { return s.HasPath })
	}
	return all
}

// inside reports whether a scope is narrower than another scope: the narrower scope has all
// members of the wider scope, and more.
func inside(s, wide rule.Scope) bool {
	return s != wide &&
		(!wide.HasPath || s.HasPath && s.Path == wide.Path) &&
		implied(s.Where, wide.Where[0]) && implied(s.Where, wide.Where[1])
}

// implied reports whether one of two conditions implies a condition.
func implied(all [2]rule.Condition, wide rule.Condition) bool {
	return all[0].Implies(wide) || all[1].Implies(wide)
}

// covered reports whether a wider scope is likely.
func covered(s rule.Scope, likely map[rule.Scope]bool) bool {
	for wide, is := range likely {
		if is && inside(s, wide) {
			return true
		}
	}
	return false
}

// fewValued returns a function that reports for a scope whether the scope's parameter has
// few values among the counted values. A scope without a value always passes.
func (d *dropFinder) fewValued(counts map[rule.Scope]*tally) func(rule.Scope) bool {
	values := map[string]map[string]bool{}
	for s := range counts {
		if c := s.Where[0]; c.HasValue {
			if values[c.Param] == nil {
				values[c.Param] = map[string]bool{}
			}
			values[c.Param][c.Value] = true
		}
	}
	return func(s rule.Scope) bool {
		c := s.Where[0]
		return !c.HasValue || len(values[c.Param]) <= params.DefaultMaxValues
	}
}

// usual returns the value that most forms in a drop's scope give the drop's parameter. Ties
// are broken by byte order. ok is false unless there are several values.
func (d *dropFinder) usual(r *rule.Rule) (value string, ok bool) {
	counts := map[string]int{}
	scope := r.Scope.Bare() // the groups' forms have the prefix
	for rest, group := range d.groups(r) {
		if !scope.Holds([]byte(rest)) {
			continue
		}
		for _, n := range group {
			for _, v := range valuesOf(d.forms.texts[n], r.Param) {
				counts[v]++
			}
		}
	}
	for v, n := range counts {
		if !ok || n > counts[value] || n == counts[value] && v < value {
			value, ok = v, true
		}
	}
	return value, len(counts) > 1
}

func valuesOf(url, param string) (values []string) {
	_, query, _ := strings.Cut(url, "?")
	for _, piece := range strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if name, value, valued := strings.Cut(piece, "="); valued && name == param {
			values = append(values, value)
		}
	}
	return values
}
