package lifecycle

import "dustbuster/operators/trial"

// mostFailing is the number of pairs of one rule that may end with a 5xx in the place of v.
// More requests would add to the server's trouble, so the trial then ends undecided. A new
// trial begins after RetryUndecided.
const mostFailing = 5

// failing reports whether the server fails at the URLs made by the rule while the original
// URLs answer. O(pairs).
func (a *attempt) failing() bool {
	n := 0
	for p := range a.tried {
		if p.outcome.Reason == trial.ServerError {
			n++
		}
	}
	return n >= mostFailing
}
