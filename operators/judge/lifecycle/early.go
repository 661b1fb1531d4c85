package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

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

// mayHurry reports whether time and requests allow an early publication.
func (p *publisher) mayHurry(now int64) bool {
	out := &p.book.Publication
	return out.Sequence > 0 && now >= out.At+p.o.PublishAgain && p.early.made >= p.early.wait
}

// hasGrown reports whether the rules that may be published merge enough more URLs than the
// published rules. O(bytes of all URLs) once for each window and L.
func (p *publisher) hasGrown(w *forms.View) bool {
	o := p.outgoing(w)
	if o.growth == nil {
		n := w.Merged(o.list)
		out := w.Merged(slices.DeleteFunc(slices.Clone(w.List), func(e *book.Entry) bool { return !p.book.IsPublished(e) }))
		o.growth = new(n-out >= max(leastGrowth, (out+growthShare-1)/growthShare))
	}
	return *o.growth
}

// earlyShare is the greatest share of requests that early publications take: one in earlyShare.
const earlyShare = 5

// affords reports whether the trial of the set may request another pair. The trial of an early
// publication begins when the requests that it may take are allowed.
func (p *publisher) affords(s *attempt.Set) bool {
	if !p.early.on {
		return true
	}
	sum := s.Tally.Sum()
	cost := min(2*sum.Left(), max(2, p.o.SetRequests-len(s.Documents)))
	if s.Begun {
		cost = 2
	}
	p.early.wait = earlyShare*(p.early.spent+cost) - cost
	s.Begun = p.early.made >= p.early.wait
	return s.Begun
}

// count counts the documents requested for a look.
func (p *publisher) count(t *Look, documents int) {
	p.early.made += documents
	if p.early.on && t.Purpose == SetTrial {
		p.early.spent += documents
	}
}
