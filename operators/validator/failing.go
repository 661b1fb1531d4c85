package validator

import "dustbuster/operators/trial"

// mostFailing is how many pairs of one rule may end with a 5xx in the place of v.
// The server then has a trouble that more requests make worse, and the trial ends
// undecided. It begins anew after RetryUndecided.
const mostFailing = 5

// failing reports whether the server fails at what the rule makes of URLs, while the
// URLs themselves answer. O(pairs).
func (a *attempt) failing() bool {
	n := 0
	for p := range a.tried {
		if p.outcome.Reason == trial.ServerError {
			n++
		}
	}
	return n >= mostFailing
}
