// Package newest learns that the parameter sid may be left out.
package newest

import (
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Name is the name of the learner.
const Name = "newest"

// About is what the learner finds, for people.
const About = "the parameter sid"

// Learn returns the rule if a page has the parameter.
func Learn(pages []evidence.Page) (rules []rule.Likely) {
	for _, p := range pages {
		if strings.Contains(p.URL, "?sid=") {
			return []rule.Likely{{Learner: Name, Support: len(pages), Rule: rule.Rule{Edit: rule.Drop{Param: "sid"}}}}
		}
	}
	return nil
}
