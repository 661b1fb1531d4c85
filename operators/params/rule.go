package params

import (
	"cmp"
	"strings"

	"dustbuster/operators/rule"
)

// Rule is a likely drop(Param, Scope): within the scope, the parameter does not seem to
// matter.
type Rule struct {
	Param      string     // n, the parameter to drop
	Scope      rule.Scope // without a prefix
	Support    int        // similar groups in the scope
	Comparable int        // groups with members to compare, similar or not
}

// kind returns the number of a scope's kind: 1 the site, 2 a path, 3 any path with a
// parameter's value, 4 a path with a parameter, 5 a path with a parameter's value. No
// other form of scope is mined.
func kind(s *rule.Scope) int {
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

// Compare is the order of a list: support descending, the kinds of scope from wide to
// narrow, then parameter, path, and the scope's parameter and value in byte order. The
// order is total on the rules of one list.
func Compare(a, b Rule) int {
	return cmp.Or(
		cmp.Compare(b.Support, a.Support),
		cmp.Compare(kind(&a.Scope), kind(&b.Scope)),
		strings.Compare(a.Param, b.Param),
		strings.Compare(a.Scope.Path, b.Scope.Path),
		strings.Compare(a.Scope.Param, b.Scope.Param),
		strings.Compare(a.Scope.Value, b.Scope.Value),
	)
}
