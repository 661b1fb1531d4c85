package worlds

import "dustbuster/operators/rule"

// Edits returns what rules do with a URL, for the plain programs of package oracle.
func Edits(rules []rule.Rule) (edits []func(url string) string) {
	for i := range rules {
		edits = append(edits, func(url string) string {
			if out, changed := rules[i].Apply(nil, []byte(url)); changed {
				return string(out)
			}
			return url
		})
	}
	return edits
}
