package export

import (
	"slices"

	"dustbuster/operators/rule"
)

// group is the parameters dropped under one condition, in the order of their rules.
type group struct {
	key    string
	params []string
}

// names returns the one or two names of a drop.
func names(r *rule.Rule) []string {
	if r.Other == "" {
		return []string{r.Param}
	}
	return []string{r.Param, r.Other}
}

// groupBy returns the groups in the order of their first rules.
func groupBy(rules []rule.Rule, key func(*rule.Rule) string) []group {
	var groups []group
	for i := range rules {
		r := &rules[i]
		at := slices.IndexFunc(groups, func(g group) bool { return g.key == key(r) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{key: key(r)})
		}
		for _, name := range names(r) {
			if g := &groups[at]; !slices.Contains(g.params, name) {
				g.params = append(g.params, name)
			}
		}
	}
	return groups
}
