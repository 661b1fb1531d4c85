package prober

import (
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/stream/fetch"
)

// waits says why nothing is tried while no request to a site is allowed.
var waits = map[fetch.Reason]lifecycle.Why{
	fetch.Budget: lifecycle.Budget, fetch.Spent: lifecycle.Spent, fetch.Held: lifecycle.Rests, fetch.Resting: lifecycle.Rests,
	fetch.Closed: lifecycle.Robots, fetch.Full: lifecycle.Hosts, fetch.Barred: lifecycle.Moved, fetch.Cancelled: lifecycle.Ended,
}

// now returns what becomes of the rules of a site at present, given what its machine said last.
func (s *site) nowOf(last lifecycle.Now, wait Wait) lifecycle.Now {
	switch w := s.worker; {
	case w.ctx.Err() != nil || w.finishing.Load():
		return lifecycle.Now{Why: lifecycle.Ended}
	case wait.Reason == fetch.Spent:
		return lifecycle.Now{Why: lifecycle.Spent}
	case wait.Reason != "":
		return lifecycle.Now{Why: waits[wait.Reason], Until: wait.Until.Unix()}
	case s.worker.o.Turns.queued(s):
		return lifecycle.Now{Why: lifecycle.Queued}
	case (last.Why == lifecycle.Trying || last.Why == lifecycle.Awaiting) && !s.worker.o.Turns.busy(s):
		return lifecycle.Now{Why: lifecycle.NextLook} // a wait has ended
	}
	return s.until(last)
}

// until adds when requests that are kept will be more.
func (s *site) until(now lifecycle.Now) lifecycle.Now {
	if renews := s.worker.o.Fetcher.Renews(s.name); now.Why == lifecycle.Kept && !renews.IsZero() {
		now.Until = renews.Unix()
	}
	return now
}

// tellIdle reports why nothing is tried, unless the same reason was reported since the last trial. Only the owner
// calls it.
func (s *site) tellIdle() {
	s.onTrial = ""
	now := s.until(s.now.status.Now)
	if now.Why != s.told {
		s.told = now.Why
		s.worker.o.Report(Report{Site: s.name, Idle: &now})
	}
}

// Now returns what becomes of the rules of any site.
func (s *Status) Now(site string) lifecycle.Now {
	known, tried := s.Sites[site]
	switch {
	case !s.On:
		return lifecycle.Now{Why: lifecycle.Off}
	case tried:
		return known.Now
	case s.queued[site]:
		return lifecycle.Now{Why: lifecycle.Queued}
	case s.isStrange(site):
		return lifecycle.Now{Why: lifecycle.Strange}
	case s.canTry != nil && !s.canTry(site):
		return lifecycle.Now{Why: lifecycle.NoOrigin}
	}
	return lifecycle.Now{Why: lifecycle.FirstLook}
}

// isStrange reports whether it is known of a site that nothing says that it is ours.
func (s *Status) isStrange(site string) bool {
	w, known := s.Whose[site]
	return known && w.Why == "" && !w.Due
}
