package cluster

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// LearnWindow returns the likely rules that a learner finds in the pages of a window, in its
// order. The labels are those of [OfPages]. There are no rules without a test of similarity. The
// support of a rule is the number of pairs of pages with one label that get one form. Comparable
// is the number of all pairs of labelled pages that get one form.
//
// The learner calls stop now and then. If stop returns true, LearnWindow returns false without
// result.
func LearnWindow(name string, learn func(clusters [][]string, stop func() bool) []Learned, similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	if similar.Off {
		return nil, true
	}
	stopped := false
	found := learn(OfPages(pages), func() bool {
		stopped = stopped || stop()
		return stopped
	})
	if stopped {
		return nil, false
	}
	var rules []rule.Likely
	for _, l := range found {
		rules = append(rules, rule.Likely{Rule: l.Rule, Learner: name, Support: l.Support - l.False, Comparable: l.Support})
	}
	return rules, true
}
