package miner

import (
	"cmp"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
	"dustbuster/operators/rule"
)

// Kind is what a rule replaces.
type Kind uint8

// The kinds of rule, in their order at equal support.
const (
	Parameter Kind = iota // a parameter is dropped
	Substring             // α becomes β, or the other way round
)

// Rule is a likely rule of a site.
type Rule struct {
	Site string
	Kind Kind
	Pair dust.Candidate // of a Substring
	Drop params.Rule    // of a Parameter
}

// Identity is what a rule says, whatever its support: equal for two rules that
// say the same. Of type any, for use as the key of a map.
func (r *Rule) Identity() any {
	type drop struct {
		site, param string
		scope       rule.Scope
	}
	type pair struct {
		site string
		pair dust.Pair
	}
	if r.Kind == Parameter {
		return drop{r.Site, r.Drop.Param, r.Drop.Scope}
	}
	return pair{r.Site, r.Pair.Pair}
}

// Text is all of the rule that was somebody's: what must not be told of a
// secret is in it.
func (r *Rule) Text() string {
	if r.Kind == Substring {
		return r.Pair.Alpha + "\n" + r.Pair.Beta
	}
	s := &r.Drop.Scope
	text := r.Drop.Param + "\n" + s.Path + "\n" + s.Param
	if s.Value != "" {
		text += "=" + s.Value
	}
	return text
}

// Support is the number of envelopes or groups that speak for the rule.
func (r *Rule) Support() int {
	if r.Kind == Parameter {
		return r.Drop.Support
	}
	return r.Pair.Support
}

// Compare is the order of a list of one site's rules: by support, parameters
// before substrings, then that of their kind.
func Compare(a, b Rule) int {
	if c := cmp.Or(cmp.Compare(b.Support(), a.Support()), cmp.Compare(a.Kind, b.Kind)); c != 0 {
		return c
	}
	if a.Kind == Parameter {
		return params.Compare(a.Drop, b.Drop)
	}
	return dust.CompareSupport(a.Pair, b.Pair)
}
