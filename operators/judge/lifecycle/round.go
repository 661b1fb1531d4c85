package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/trial"
)

// Round is one recheck of published rules.
type Round struct {
	At     int64          `json:"at"`              // start of the round; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // number of pairs tried for each rule, by id
	SetEnd bool           `json:"set_end,omitempty"`
	Full   int64          `json:"full,omitempty"` // start of the last round over all of L, if this round covers less

	Sizes map[string]Sizes `json:"sizes,omitempty"` // of the rules tested by rounds, by id
}

// lastFull returns the start of the last round over all of L.
func (r *Round) lastFull() int64 { return cmp.Or(r.Full, r.At) }

// rechecker decides which published rules are tested again, and how far the round is.
type rechecker struct {
	o    *Options
	book *book

	checked  map[string]bool // rules finished in this round, by id
	setTried int             // pairs of the set drawn in this round
	sought   bool            // the rules contradicted by the newest sizes were sought in this view
}

// reset begins a new round.
func (r *rechecker) reset() {
	clear(r.checked)
	r.setTried = 0
}

// newRound returns a round over some rules of L. Each rule receives a share of the budget
// according to how much the rule has changed.
func (r *rechecker) newRound(w *view, list []*Entry, now int64) *Round {
	var changes []trial.Change
	for _, e := range list {
		changes = append(changes, e.Change)
	}
	round := &Round{At: now, Quota: map[string]int{}, Sizes: r.noteSizes(w, list, now)}
	for i, n := range trial.Share(r.o.RecheckBudget, r.o.RecheckFloor, changes) {
		round.Quota[list[i].ID] = n
	}
	return round
}

// partialRound returns a round over some rules of a list and over the rules not yet tested by
// the current round. The round is nil if there are no such rules.
func (r *rechecker) partialRound(w *view, list []*Entry, ids map[string]bool, now int64) *Round {
	list = slices.DeleteFunc(slices.Clone(list), func(e *Entry) bool { return !ids[e.ID] && !r.isDue(e) })
	if len(list) == 0 {
		return nil
	}
	round := r.newRound(w, list, now)
	round.Full = r.book.round.lastFull()
	return round
}

// due returns the round to begin now: over all of L if such a round is due, or over the
// rules contradicted by the newest sizes. due returns nil if no round is due.
func (r *rechecker) due(w *view, now int64) *Round {
	if r.o.RecheckEvery == 0 {
		return nil
	}
	if now >= r.book.round.lastFull()+r.o.RecheckEvery {
		return r.newRound(w, w.list, now)
	}
	if ids := r.contradicted(w, now); len(ids) > 0 {
		return r.partialRound(w, w.list, ids, now)
	}
	return nil
}

// isDue reports whether the current round must still test a rule.
func (r *rechecker) isDue(e *Entry) bool {
	return r.book.round.Quota[e.ID] > 0 && e.ValidatedAt < r.book.round.At && !r.checked[e.ID]
}

// afterLeaving returns the round that follows when the rule at a place leaves a list. The
// rules after the place were tried together with the rule. Those rules, and the rules not
// yet tested by the current round, are tested again soon.
func (r *rechecker) afterLeaving(w *view, list []*Entry, place int, now int64) *Round {
	if r.o.RecheckEvery == 0 && !r.book.round.isOpen() {
		return nil
	}
	after := map[string]bool{}
	for _, other := range list[place+1:] {
		after[other.ID] = true
	}
	rest := slices.Delete(slices.Clone(list), place, place+1)
	return r.partialRound(w, rest, after, now)
}

// isOpen reports whether a round has begun and has not ended.
func (r *Round) isOpen() bool { return r.Quota != nil && !r.SetEnd }
