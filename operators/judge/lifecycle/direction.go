package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// leadsBack returns the other direction of a rule that holds, if the evidence speaks for it, operators
// prefer none, and it may be tried and was not tried in vain. The outcomes known of the pairs count
// for it as well. The reason is "" if the rule stays as it is.
func (ve *verdicts) leadsBack(a *attempt.Attempt) (other rule.Rule, reason string) {
	r := a.Candidate.Rule
	if r.Kind != rule.Substring {
		return r, ""
	}
	other = r.Opposite()
	decided := ve.book.Preferred(r) == r && ve.book.Preferred(other) == r
	if reason = a.LedBy(ve.window); reason == "" || decided || ve.book.Failed(&other) {
		return r, ""
	}
	n := book.Candidate{ID: rule.ID(ve.view.Site, &other), Rule: other}
	if other.Validate() != nil || ve.view.Gain(&n) < ve.o.MinGain {
		return r, "" // the other direction would never be tried, and the pages would stay apart
	}
	return other, reason
}
