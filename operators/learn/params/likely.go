package params

import (
	"slices"

	"dustbuster/operators/rule"
)

// Name is the learner's name in lists.
const Name = "params"

// About is what the learner finds, for people.
const About = "parameters that may be left out"

// Likely returns the likely rules of the current list, without a site, in the order of
// [rule.Compare]. Rules that a wider likely scope of the same parameter covers are left out.
// The returned slice is never modified. O(1) if nothing changed since the last call; otherwise the cost of
// settling, then O(l log l) for l counters with enough support.
func (x *Index) Likely() []rule.Likely {
	x.settle()
	if !x.stale {
		return x.rules
	}
	x.stale = false
	rules := make([]rule.Likely, 0, len(x.rules))
	for k := range x.likely {
		if x.listed(k) {
			rules = append(rules, x.rule(k))
		}
	}
	slices.SortFunc(rules, rule.Compare)
	x.rules = rules
	return rules
}

// listed reports whether a likely key stands in the list: its value counts, and no wider
// scope is likely. The wider scopes of a key are the scopes of the five kinds that lack
// some of its members.
func (x *Index) listed(k key) bool {
	if !x.counts(k) {
		return false
	}
	for _, w := range [...]key{
		{n: k.n},
		{n: k.n, path: k.path},
		{n: k.n, path: k.path, m: k.m},
		{n: k.n, m: k.m, v: k.v},
	} {
		if _, is := x.likely[w]; is && w != k {
			return false
		}
	}
	return true
}

// counts reports whether a key has no value, or its parameter has few values.
func (x *Index) counts(k key) bool {
	return k.v == 0 || x.values[x.words.text(k.m)].few(x.o.MaxValues)
}

func (x *Index) rule(k key) rule.Likely {
	c := x.counters[k]
	s := rule.Scope{Path: x.words.text(k.path), HasPath: k.path != 0}
	s.Where[0] = rule.Condition{Param: x.words.text(k.m), Value: x.words.text(k.v), HasValue: k.v != 0}
	return rule.Likely{Learner: Name, Rule: rule.Rule{Kind: rule.Drop, Param: x.words.text(k.n), Scope: s}, Support: int(c.similar), Comparable: int(c.comparable)}
}
