package lifecycle

import "dustbuster/operators/rule"

// Candidates returns the mined rules, each in the direction tried first.
func Candidates(mined []rule.Likely) []rule.Candidate {
	all := make([]rule.Candidate, len(mined))
	for i := range mined {
		all[i] = rule.Candidate{Rule: mined[i].Rule, Support: mined[i].Support}
	}
	return all
}
