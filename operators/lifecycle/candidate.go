package lifecycle

import (
	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
)

// Candidates returns the mined rules, each in the direction tried first.
func Candidates(mined []miner.Rule) []rule.Candidate {
	all := make([]rule.Candidate, len(mined))
	for i := range mined {
		all[i] = rule.Candidate{Rule: directed(&mined[i]), Support: mined[i].Support()}
	}
	return all
}

// directed returns the rule of a candidate that is tried first: the pair's shrinking
// direction, or the drop.
func directed(r *miner.Rule) rule.Rule {
	if r.Kind == miner.Parameter {
		return rule.Rule{Kind: rule.Drop, Param: r.Drop.Param, Scope: r.Drop.Scope}
	}
	p := r.Pair.Pair
	return rule.Rule{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}
}
