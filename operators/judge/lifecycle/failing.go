package lifecycle

import "dustbuster/operators/judge/trial"

// mostFailing is the number of pairs of one rule that may end with a 5xx in the place of v, or
// with a refusal (401, 403, 408, 429). More 5xx would add to the server's trouble, and more
// refusals would tell nothing. The trial then ends undecided. A new trial begins after
// RetryUndecided.
const mostFailing = 5

// failing returns the reason for which the URLs made by the rule cannot be judged while the
// original URLs answer: the server fails there, or refuses most of them. failing returns "" if
// there is none. O(pairs).
func (a *attempt) failing() (reason string) {
	failed, refused := 0, 0
	for p := range a.tried {
		switch p.outcome.Reason {
		case trial.ServerError:
			failed++
		case trial.Refused:
			refused++
		}
	}
	switch sum := a.tally.Sum(); {
	case failed >= mostFailing:
		return byServer
	case refused >= mostFailing && refused > sum.Outcomes():
		return byRefusal
	}
	return ""
}
