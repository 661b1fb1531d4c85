package params

import (
	"cmp"

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

// Name is the learner's name in lists.
const Name = "params"

// About is what the learner finds, for people.
const About = "parameters that may be left out"

// Compare is the order of a list: support descending, then the order of
// [rule.CompareParams]. The order is total on the rules of one list.
func Compare(a, b Rule) int {
	return cmp.Or(
		cmp.Compare(b.Support, a.Support),
		rule.CompareParams(&rule.Rule{Param: a.Param, Scope: a.Scope}, &rule.Rule{Param: b.Param, Scope: b.Scope}),
	)
}
