package fanout

import (
	"dustbuster/operators/cluster"
	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// LearnWindow returns the likely rules of the pages of a window, best first. The labels are
// those of [cluster.OfPages], so there are no rules without a test of similarity. The support
// of a rule is the number of pairs of pages with one label that get one form. Comparable is
// the number of all pairs that get one form.
//
// LearnWindow calls stop now and then. If stop returns true, LearnWindow returns false without
// result.
func LearnWindow(similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	if similar.Off {
		return nil, true
	}
	stopped := false
	o := Options{Stop: func() bool {
		stopped = stopped || stop()
		return stopped
	}}
	var rules []rule.Likely
	for _, l := range deployed(cluster.OfPages(pages), o) {
		rules = append(rules, rule.Likely{Rule: l.Rule, Learner: Name, Support: l.Support - l.False, Comparable: l.Support})
	}
	return rules, !stopped
}
