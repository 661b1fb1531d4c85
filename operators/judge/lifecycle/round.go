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

	checked  map[string]bool // rules finished in this round, by id; nil: none
	setTried int             // pairs of the set drawn in this round
	sought   bool            // the rules contradicted by the newest sizes were sought in this view
}

// reset begins a new round.
func (r *rechecker) reset() {
	r.checked, r.setTried = nil, 0
}

// finish notes that a rule is finished in this round.
func (r *rechecker) finish(id string) {
	if r.checked == nil {
		r.checked = map[string]bool{}
	}
	r.checked[id] = true
}

// newRound returns a round over some rules of L. Each rule receives a share of the budget
// according to how much the rule has changed.
func (r *rechecker) newRound(w *forms.View, list []*book.Entry, now int64) *book.Round {
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

// proved returns the rules of a list less those that await their proof, which tests them anyway.
func proved(list []*book.Entry) []*book.Entry {
	return slices.DeleteFunc(slices.Clone(list), (*book.Entry).AwaitsProof)
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
// rules contradicted by the newest sizes, even if they await their proof: that may come late. due returns nil if no round is due.
func (r *rechecker) due(w *forms.View, now int64) *book.Round {
	if r.o.RecheckEvery == 0 {
		return nil
	}
	if now >= r.book.Round.LastFull()+r.o.RecheckEvery {
		return r.newRound(w, proved(w.List), now)
	}
	if ids := r.contradicted(w, now); len(ids) > 0 {
		return r.partialRound(w, w.List, ids, now)
	}
	return nil
}

// isDue reports whether the current round must still test a rule.
func (r *rechecker) isDue(e *book.Entry) bool {
	return r.book.Round.Quota[e.ID] > 0 && e.ValidatedAt < r.book.Round.At && !r.checked[e.ID]
}

// afterLeaving returns the round that follows when the rule at a place leaves a list. The
// rules after the place that share a URL with the rule were tried together with it. Those rules, and the
// rules not yet tested by the current round, are tested again soon.
func (r *rechecker) afterLeaving(w *forms.View, window *forms.Window, list []*book.Entry, place int, now int64) *book.Round {
	if r.o.RecheckEvery == 0 && !r.book.Round.IsOpen() {
		return nil
	}
	rest := slices.Delete(slices.Clone(list), place, place+1)
	return r.partialRound(w, proved(rest), window.Sharing(list, place), now)
}

// noteSizes returns the counts with which later counts are compared: the present counts for
// the rules of a round, and the earlier counts for the other rules of L.
func (r *rechecker) noteSizes(w *forms.View, list []*book.Entry, now int64) map[string]book.Sizes {
	var all []book.Sizes
	if w != nil {
		all = w.NewestSizes(w.Forms, w.Canonizer)
	}
	noted := map[string]book.Sizes{}
	for rank, e := range r.book.Valid() {
		s, known := r.book.Round.Sizes[e.ID]
		if slices.ContainsFunc(list, func(other *book.Entry) bool { return other.ID == e.ID }) {
			if s = r.sizesBefore(e); all != nil {
				s = all[rank]
			}
			s.At, known = now, true
		}
		if known {
			noted[e.ID] = s
		}
	}
	return noted
}

// sizesBefore returns the counts at the last test of a rule.
func (r *rechecker) sizesBefore(e *book.Entry) book.Sizes {
	if s, known := r.book.Round.Sizes[e.ID]; known && s.At > e.ValidatedAt {
		return s
	}
	return e.Sizes
}

// contradicted returns the rules of L that the newest sizes contradict, without those tested by a
// round within the last hour. They are computed once for each window and L.
func (r *rechecker) contradicted(w *forms.View, now int64) map[string]bool {
	if r.sought {
		return nil
	}
	r.sought = true
	ids := map[string]bool{}
	for rank, s := range w.NewestSizes(w.Forms, w.Canonizer) {
		if e := w.List[rank]; r.isContradicted(e, s, now) {
			ids[e.ID] = true
		}
	}
	return ids
}

// isContradicted reports whether the newest sizes contradict a rule that no round has tested within the last hour. Where the
// sizes of some pages always vary, the share apart must double each time: see book.Sizes.
func (r *rechecker) isContradicted(e *book.Entry, s book.Sizes, now int64) bool {
	before := r.sizesBefore(e)
	return s.Contradict(before, r.o.Trial.Epsilon) && now > e.ValidatedAt && now >= before.At+book.Hour
}
