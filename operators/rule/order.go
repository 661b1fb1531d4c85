package rule

import (
	"cmp"
	"strings"

	"dustbuster/operators/dust"
)

// place returns the place of a kind in a list, among rules of equal support.
func (k Kind) place() int {
	if k == Substring {
		return 1
	}
	return 0
}

// compare orders two likely rules of one kind and support.
func (k Kind) compare(a, b *Likely) int {
	if k == Substring {
		return dust.CompareRank(a.pair(), b.pair())
	}
	return CompareParams(&a.Rule, &b.Rule)
}

// pair returns a likely substring rule as a pair of sides.
func (l *Likely) pair() dust.Candidate {
	return dust.Candidate{Pair: l.Rule.Pair(), Support: l.Support, SupportHigh: l.SupportHigh}
}

// OfPairs returns the likely rules of a learner that finds pairs.
func OfPairs(site, learner string, pairs []dust.Candidate) []Likely {
	rules := make([]Likely, len(pairs))
	for i, p := range pairs {
		rules[i] = Likely{Site: site, Learner: learner, Support: p.Support, SupportHigh: p.SupportHigh,
			Rule: Rule{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}}
	}
	return rules
}

// Pair returns the pair of a substring rule's sides.
func (r *Rule) Pair() dust.Pair { return dust.NewPair(r.From, r.To, r.AtStart, r.AtEnd) }

// CompareParams orders parameter rules: the kinds of scope from wide to narrow, then
// parameter, path, and the scope's parameter and value in byte order.
func CompareParams(a, b *Rule) int {
	return cmp.Or(
		cmp.Compare(a.Scope.width(), b.Scope.width()),
		strings.Compare(a.Param, b.Param),
		strings.Compare(a.Scope.Path, b.Scope.Path),
		strings.Compare(a.Scope.Param, b.Scope.Param),
		strings.Compare(a.Scope.Value, b.Scope.Value),
	)
}

// width returns the place of a scope among the scopes from wide to narrow: 1 the site, 2
// a path, 3 any path with a parameter's value, 4 a path with a parameter, 5 a path with a
// parameter's value.
func (s *Scope) width() int {
	switch {
	case s.HasPath && s.HasValue:
		return 5
	case s.HasPath && s.Param != "":
		return 4
	case s.HasValue:
		return 3
	case s.HasPath:
		return 2
	}
	return 1
}
