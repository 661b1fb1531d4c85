package miner

import (
	"cmp"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
	"dustbuster/operators/rule"
)

// Kind is the kind of edit made by a rule.
type Kind uint8

// The kinds of rule, in their order at equal support.
const (
	Parameter Kind = iota // a parameter is dropped
	Substring             // α becomes β, or β becomes α
)

// Rule is a likely rule of a site.
type Rule struct {
	Site string
	Kind Kind
	Pair dust.Candidate // of a Substring
	Drop params.Rule    // of a Parameter
}

// Identity returns the content of a rule without the support. Equal rules have equal
// identities. The result can be the key of a map.
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

// Text returns all parts of the rule that come from URLs. A secret in the rule is part of
// the text.
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

// Support returns the number of envelopes or groups that support the rule.
func (r *Rule) Support() int {
	if r.Kind == Parameter {
		return r.Drop.Support
	}
	return r.Pair.Support
}

// Compare defines the order of a list of one site's rules: by support, then parameters
// before substrings, then the order of the kind.
func Compare(a, b Rule) int {
	if c := cmp.Or(cmp.Compare(b.Support(), a.Support()), cmp.Compare(a.Kind, b.Kind)); c != 0 {
		return c
	}
	if a.Kind == Parameter {
		return params.Compare(a.Drop, b.Drop)
	}
	return dust.CompareSupport(a.Pair, b.Pair)
}
