package lifecycle

import (
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
)

// grounds is how well the log supports a candidate. The chances of candidates of one kind
// and the same grounds are estimated together.
type grounds uint8

const (
	unknown grounds = iota // the candidate was not weighed
	weak                   // chance can explain the pages
	partial                // too many pairs differ for the rule to hold everywhere
	strong                 // nearly all pairs are alike, beyond chance
	poor                   // many pairs differ: the rule can hold only for a part of its pages
	light                  // nearly all pairs are alike, and chance is unlikely to explain the pages
	turned                 // the other direction of a refuted pair
	allGrounds
)

// before is the probability, before any trial on the site, that a candidate holds. The
// values are rounded shares of true rules among the tried rules of made-up sites (command in
// docs/bench.md).
var before = [allGrounds]float64{unknown: prior, weak: 0.03, partial: prior, strong: 0.5, poor: 0.03, light: 0.2, turned: 0.04}

// Bounds between the grounds.
const (
	poorShare = 0.8 // of pairs that are alike
	heavy     = 10  // weight
)

// groundsOf returns the grounds of a candidate. A share of unlike pairs of more than ε
// would refute the rule.
func (o *Options) groundsOf(c *rule.Candidate) grounds {
	switch {
	case !c.Weighed:
		return unknown
	case c.Weight < weight.Shown:
		return weak
	case c.Alike < poorShare:
		return poor
	case 1-c.Alike > o.Trial.Epsilon:
		return partial
	case c.Weight < heavy:
		return light
	}
	return strong
}

// chances is the probability that a candidate holds, by kind and grounds.
type chances [][allGrounds]float64

func (c chances) of(n *candidate) float64 { return c[n.rule.Kind][n.grounds] }

// chances estimates the probabilities from the verdicts on this site.
func (b *book) chances() chances {
	valid, tried, c := make(chances, rule.Kinds()), make(chances, rule.Kinds()), make(chances, rule.Kinds())
	for _, e := range b.entries {
		if isNarrowed(&e.Rule) || e.Verdict.Samples == 0 {
			continue
		}
		tried[e.Rule.Kind][e.Grounds]++
		if e.State == rule.Valid {
			valid[e.Rule.Kind][e.Grounds]++
		}
	}
	for kind := range c {
		for g, p := range before {
			c[kind][g] = (valid[kind][g] + 1) / (tried[kind][g] + 1/p)
		}
	}
	return c
}
