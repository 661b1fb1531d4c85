package canon

import "dustbuster/operators/rule"

// rarest chooses for each rule the trigger that the fewest rules share, the first of
// several.
func rarest(rules []rule.Rule) []rule.Trigger {
	uses := make(map[rule.Trigger]int)
	for i := range rules {
		all, n := rules[i].Triggers()
		for _, t := range all[:n] {
			uses[t]++
		}
	}
	chosen := make([]rule.Trigger, len(rules))
	for i := range rules {
		all, n := rules[i].Triggers()
		chosen[i] = all[0]
		for _, t := range all[1:n] {
			if uses[t] < uses[chosen[i]] {
				chosen[i] = t
			}
		}
	}
	return chosen
}
