package lifecycle

import "dustbuster/operators/rule"

// Candidates returns the mined rules, each in the direction tried first.
func Candidates(mined []rule.Likely) []rule.Candidate {
	all := make([]rule.Candidate, len(mined))
	for i := range mined {
		all[i] = candidateOf(&mined[i])
	}
	return all
}

func candidateOf(l *rule.Likely) rule.Candidate {
	return rule.Candidate{Rule: l.Rule, Support: l.Support, Weighed: l.Weighed, Weight: l.Weight,
		Alike: float64(l.Alike) / float64(max(l.Pairs, 1))}
}
