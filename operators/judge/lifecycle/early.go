package lifecycle

import "dustbuster/operators/judge/lifecycle/trials"

// A publication is early if it is made before its time because of its gain: the rules that could go
// out merge a tenth more URLs than those that are out. Its trial of the set takes requests from the
// trials of rules.

// The gain of an early publication: at least leastGrowth URLs, and one in growthShare of those that
// are merged by what is out.
const (
	leastGrowth = 10
	growthShare = 10
)

// early counts what early publications cost. The counts begin anew with each start of the program.
type early struct {
	on    bool // the publication that is tried is early
	made  int  // documents requested since the last publication that was made in time
	spent int  // of these, for early publications
	wait  int  // documents that must have been requested before the set is tried
}

// growth is the numbers of URLs that are merged by the rules that are out, and by those that could go out.
type growth struct{ out, could int }

// hasGrown reports whether the rules that could go out merge enough more URLs than those that are out.
func (g growth) hasGrown() bool {
	return g.could-g.out >= max(leastGrowth, (g.out+growthShare-1)/growthShare)
}

// The greatest share of requests that early publications take: one in earlyShare, or one in doubledShare for
// one that at least doubles what is merged.
const (
	earlyShare   = 5
	doubledShare = 2
)

// share returns the reciprocal of the share of requests that the publication may take.
func (g growth) share() int {
	if g.could >= 2*g.out {
		return doubledShare
	}
	return earlyShare
}

// affords reports whether the trial of the set of an early publication may request another pair. It begins when the
// requests that it may take, most, are allowed.
func (e *early) affords(g growth, s *trials.Set, most int) bool {
	sum := s.Tally.Sum()
	cost := min(2*sum.Left(), max(2, most-len(s.Documents)))
	if s.Begun {
		cost = 2
	}
	e.wait = g.share()*(e.spent+cost) - cost
	s.Begun = e.made >= e.wait
	return s.Begun
}

// count counts the documents requested for a look.
func (e *early) count(t *Look, documents int) {
	e.made += documents
	if e.on && t.Purpose == SetTrial {
		e.spent += documents
	}
}
