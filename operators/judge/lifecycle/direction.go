package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// leadsBack returns the other direction of a rule that holds, if the evidence speaks for it, operators
// prefer none, and it may be tried and was not tried in vain. The outcomes known of the pairs count
// for it as well. The reason is "" if the rule stays as it is.
func (m *Machine) leadsBack(a *attempt.Attempt) (other rule.Rule, reason string) {
	r := a.Candidate.Rule
	if r.Kind != rule.Substring {
		return r, ""
	}
	other = r.Opposite()
	decided := m.book.Preferred(r) == r && m.book.Preferred(other) == r
	if reason = a.LedBy(m.window); reason == "" || decided || m.book.Failed(&other) {
		return r, ""
	}
	n := book.Candidate{ID: rule.ID(m.view.Site, &other), Rule: other}
	if other.Validate() != nil || m.view.Gain(&n) < m.o.MinGain {
		return r, "" // the other direction would never be tried, and the pages would stay apart
	}
	return other, reason
}
