package params

import (
	"cmp"
	"strings"
)

// Rule is a likely drop(Param, Scope): in the pages of its scope the parameter
// seems to mean nothing.
type Rule struct {
	Param      string // n, the parameter to drop
	Scope      Scope
	Support    int // similar groups in the scope
	Comparable int // groups that could tell, similar or not
}

// Scope says on which pages a rule holds: those that have every member the
// scope names. The zero Scope is the whole site. Scopes compare with ==.
type Scope struct {
	Path  string // the path before the first '?'; counts if HasPath
	Param string // a parameter that the page also has; "" names none, since no parameter has an empty name
	Value string // the value of Param; counts if HasValue

	HasPath  bool // even an empty Path is a member of the scope
	HasValue bool // even an empty Value is: Param stands as "m=", which the bare "m" does not match
}

// Kind is the scope's number in section 7: 1 the site, 2 a path, 3 any path with
// a parameter's value, 4 a path with a parameter, 5 a path with a parameter's
// value. No other form of scope is mined.
func (s Scope) Kind() int {
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

// Compare is the order of a list: support descending, the kinds of scope from
// wide to narrow, then parameter, path, and the scope's parameter and value in
// byte order. Total on the rules of one list.
func Compare(a, b Rule) int {
	return cmp.Or(
		cmp.Compare(b.Support, a.Support),
		cmp.Compare(a.Scope.Kind(), b.Scope.Kind()),
		strings.Compare(a.Param, b.Param),
		strings.Compare(a.Scope.Path, b.Scope.Path),
		strings.Compare(a.Scope.Param, b.Scope.Param),
		strings.Compare(a.Scope.Value, b.Scope.Value),
	)
}
