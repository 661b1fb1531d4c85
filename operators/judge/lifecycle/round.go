package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// rechecker decides which published rules are tested again, and how far the round is.
type rechecker struct {
	o    *book.Options
	book *book.Book

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
// according to how much the rule has changed. The proof of a provisional rule tests it anyway.
func (r *rechecker) newRound(w *forms.View, list []*book.Entry, now int64) *book.Round {
	list = slices.DeleteFunc(slices.Clone(list), (*book.Entry).AwaitsProof)
	var changes []trial.Change
	for _, e := range list {
		changes = append(changes, e.Change)
	}
	round := &book.Round{At: now, Quota: map[string]int{}, Sizes: r.noteSizes(w, list, now)}
	for i, n := range trial.Share(r.o.RecheckBudget, r.o.RecheckFloor, changes) {
		round.Quota[list[i].ID] = n
	}
	return round
}

// partialRound returns a round over some rules of a list and over the rules not yet tested by
// the current round. The round is nil if there are no such rules.
func (r *rechecker) partialRound(w *forms.View, list []*book.Entry, ids map[string]bool, now int64) *book.Round {
	list = slices.DeleteFunc(slices.Clone(list), func(e *book.Entry) bool { return !ids[e.ID] && !r.isDue(e) })
	if len(list) == 0 {
		return nil
	}
	round := r.newRound(w, list, now)
	round.Full = r.book.Round.LastFull()
	return round
}

// due returns the round to begin now: over all of L if such a round is due, or over the
// rules contradicted by the newest sizes. due returns nil if no round is due.
func (r *rechecker) due(w *forms.View, now int64) *book.Round {
	if r.o.RecheckEvery == 0 {
		return nil
	}
	if now >= r.book.Round.LastFull()+r.o.RecheckEvery {
		return r.newRound(w, w.List, now)
	}
	if ids := r.contradicted(w, now); len(ids) > 0 {
		return r.partialRound(w, w.List, ids, now)
	}
	return nil
}

// isDue reports whether the current round must still test a rule.
func (r *rechecker) isDue(e *book.Entry) bool {
	return r.book.Round.Quota[e.ID] > 0 && !e.AwaitsProof() && e.ValidatedAt < r.book.Round.At && !r.checked[e.ID]
}

// afterLeaving returns the round that follows when the rule at a place leaves a list. The
// rules after the place that share a URL with the rule were tried together with it. Those rules, and the
// rules not yet tested by the current round, are tested again soon.
func (r *rechecker) afterLeaving(w *forms.View, window *forms.Window, list []*book.Entry, place int, now int64) *book.Round {
	if r.o.RecheckEvery == 0 && !r.book.Round.IsOpen() {
		return nil
	}
	rest := slices.Delete(slices.Clone(list), place, place+1)
	return r.partialRound(w, rest, window.Sharing(list, place), now)
}
