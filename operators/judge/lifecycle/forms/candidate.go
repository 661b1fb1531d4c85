package forms

import (
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
)

// Candidates returns the mined rules, each in the direction tried first. A mined path is
// exact. A path that would be a wildcard in a published rule is left out.
func Candidates(mined []rule.Likely) []rule.Candidate {
	all := make([]rule.Candidate, 0, len(mined))
	for i := range mined {
		if l := &mined[i]; l.Learner != params.Name || !l.Rule.Scope.IsWild() {
			all = append(all, candidateOf(l))
		}
	}
	return all
}

func candidateOf(l *rule.Likely) rule.Candidate {
	return rule.Candidate{Rule: l.Rule.Shrinking(), Support: l.Support, Weighed: l.Weighed, Weight: l.Weight,
		Alike: float64(l.Alike) / float64(max(l.Pairs, 1))}
}
