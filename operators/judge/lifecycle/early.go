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

// growth is the numbers of URLs that are merged by the rules that are out, and by those that could go out.
type growth struct{ out, could int }

// grown returns the growth. O(bytes of all URLs) once for each window and L.
func (p *publisher) grown(w *forms.View) growth {
	o := p.outgoing(w)
	if o.growth == nil {
		out := slices.DeleteFunc(slices.Clone(w.List), func(e *book.Entry) bool { return !p.book.IsPublished(e) })
		o.growth = &growth{w.Merged(out), w.Merged(o.list)}
	}
	return *o.growth
}

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

// affords reports whether the trial of the set may request another pair. The trial of an early
// publication begins when the requests that it may take are allowed.
func (p *publisher) affords(w *forms.View, s *attempt.Set) bool {
	if !p.early.on {
		return true
	}
	sum := s.Tally.Sum()
	cost := min(2*sum.Left(), max(2, p.o.SetRequests-len(s.Documents)))
	if s.Begun {
		cost = 2
	}
	p.early.wait = p.grown(w).share()*(p.early.spent+cost) - cost
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
