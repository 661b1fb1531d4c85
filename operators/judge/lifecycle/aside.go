package lifecycle

import (
	"math"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
)

// A server may show a page from a cache for a minute. Two looks within it tell nothing of whether the page stands still.
// So the second look comes some time after the first, as long as the delay between requests is not shorter than usual, and
// other rules are tried meanwhile: see book.Options.SecondAfter.

// setAside ends a trial for now if it waits for a second look that comes later.
func (tr *trier) setAside(a *trials.Trial, _ *forms.Pair, now int64) (Look, step) {
	at := a.SecondAt(tr.o.SecondAfter)
	if tr.o.SecondAfter == 0 || at <= now || tr.rest != NoRest {
		return Look{}, nothing
	}
	if tr.aside == nil {
		tr.aside = map[string]int64{}
	}
	tr.aside[a.Candidate.ID] = at
	tr.ongoing.rule = nil
	return Look{}, changed
}

// doubtsUntil returns the time up to which pairs that differ must have been looked at, if they are looked at again now.
func (di *Dialogue) doubtsUntil(purpose Purpose, now int64) int64 {
	if purpose == Recheck || di.rest != NoRest {
		return math.MaxInt64
	}
	return now - di.o.SecondAfter
}

// isAside reports whether the trial of a rule goes on later.
func (tr *trier) isAside(id string, now int64) bool { return now < tr.aside[id] }

// present returns the candidates whose trials do not go on later.
func (tr *trier) present(open []book.Candidate, now int64) []book.Candidate {
	if !tr.waitsForSeconds(now) {
		return open
	}
	return slices.DeleteFunc(slices.Clone(open), func(c book.Candidate) bool { return tr.isAside(c.ID, now) })
}

// waitsForSeconds forgets the trials that go on, and reports whether others go on later.
func (tr *trier) waitsForSeconds(now int64) bool {
	for id, at := range tr.aside {
		if at <= now {
			delete(tr.aside, id)
		}
	}
	return len(tr.aside) > 0 && tr.rest == NoRest
}

// goesOn returns when the first of the trials that go on later does; 0: there is none.
func (tr *trier) goesOn(now int64) (at int64) {
	for _, due := range tr.aside {
		if due > now && (at == 0 || due < at) {
			at = due
		}
	}
	return at
}
