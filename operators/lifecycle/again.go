package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// Round is one re-validation of the published rules.
type Round struct {
	At     int64          `json:"at"`              // start of the round; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // number of pairs tried for each rule, by id
	SetEnd bool           `json:"set_end,omitempty"`
	Full   int64          `json:"full,omitempty"` // start of the last round over all of L, if this round covers less

	Sizes map[string]Sizes `json:"sizes,omitempty"` // of the rules tested by rounds, by id
}

// full returns the start of the last round over all of L.
func (r *Round) full() int64 { return cmp.Or(r.Full, r.At) }

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
	round.Full = r.book.round.full()
	return round
}

// due returns the round to begin now: over all of L if such a round is due, or over the
// rules contradicted by the newest sizes. due returns nil if no round is due.
func (r *rechecker) due(w *view, now int64) *Round {
	if r.o.RecheckEvery == 0 {
		return nil
	}
	if now >= r.book.round.full()+r.o.RecheckEvery {
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

// leave takes the rule at a place out of a list and records a new entry for the rule.
func (pl *planner) leave(list []*Entry, place int, e *Entry, now int64) {
	pl.do(Act{Rule: e, Round: pl.rechecker.afterLeaving(pl.view, list, place, now)})
}

// isOpen reports whether a round has begun and has not ended.
func (r *Round) isOpen() bool { return r.Quota != nil && !r.SetEnd }

// recheckAll continues the round of re-validation.
func (pl *planner) recheckAll(now int64) (Test, step) {
	if pl.book.publication.Sequence == 0 || len(pl.view.list) == 0 {
		return Test{}, nothing
	}
	if r := pl.rechecker.due(pl.view, now); r != nil {
		pl.do(Act{Round: r})
	}
	for place, e := range pl.view.list {
		if !pl.rechecker.isDue(e) {
			continue
		}
		if test, s := pl.recheckRule(place, now); s != ready {
			return test, s
		}
		pl.rechecker.checked[e.ID], pl.trials.recheck = true, nil
	}
	return pl.recheckSet(now)
}

// recheckRule tries the rule at one place again. The pairs join the forms under the rules
// before the place with the forms under the rules up to and including the place.
func (pl *planner) recheckRule(place int, now int64) (Test, step) {
	e := pl.view.list[place]
	if pl.trials.recheck == nil {
		f := formsOf(pl.window, rulesOf(pl.view.list[:place]))
		moves, _ := f.moves(&e.Rule, f.everything())
		pl.trials.recheck = newAttempt(pl.judge(now), candidate{e.ID, e.Rule, e.Support, 0, false}, f, moves, pl.book.round.At, pl.trials.awaited)
	}
	a := pl.trials.recheck
	missing := a.rejudge(pl.judge(now))
	if test, s := pl.vouch(a, Recheck, missing, now); s != nothing {
		return test, s
	}
	sum := a.tally.Sum()
	verdict := a.tally.Stands(pl.o.Trial)
	switch {
	case verdict == trial.Refuted:
		pl.retire(place, a, now)
		return Test{}, changed
	case verdict != trial.Open, sum.Negatives == 0 && sum.Outcomes()+sum.Skipped >= pl.book.round.Quota[e.ID]:
		return Test{}, ready
	}
	return pl.draw(a, Recheck, now)
}

// retire removes from L a rule that no longer holds.
func (pl *planner) retire(place int, a *attempt, now int64) {
	e := *pl.view.list[place]
	e.State, e.Verdict, e.Followers = rule.Retired, a.verdict(pl.judge(now), byRecheck), pl.view.followers(a)
	pl.leave(pl.view.list, place, &e, now)
}

// recheckSet samples the set until the share of negatives is shown to be below the set's
// limit. A round tries a limited number of pairs of the set, and in addition the pairs
// needed to trace faults.
func (pl *planner) recheckSet(now int64) (Test, step) {
	if pl.book.round.SetEnd || pl.book.round.Quota == nil || pl.publisher.hasUpdate(pl.view) {
		return Test{}, nothing
	}
	test, s := pl.trySet(func(s *setTrial) bool { return pl.rechecker.setTried >= pl.o.SetBudget || s.shown(pl.o.SetLimit) }, SetRecheck, now)
	switch s {
	case gave:
		pl.rechecker.setTried++
		return test, s
	case changed, waiting:
		return test, s
	}
	r := pl.book.round
	r.SetEnd = true
	pl.do(Act{Round: &r})
	return Test{}, changed
}

// rulesOf returns the rules of entries.
func rulesOf(list []*Entry) []rule.Rule {
	rules := make([]rule.Rule, len(list))
	for i, e := range list {
		rules[i] = e.Rule
	}
	return rules
}

// requestRound begins a round on request: see Machine.Recheck.
func (pl *planner) requestRound(id string, now int64) bool {
	if pl.book.publication.Sequence == 0 {
		return false
	}
	if pl.window != nil {
		pl.derive(now)
	}
	list := pl.book.valid()
	if id != "" && !slices.ContainsFunc(list, func(e *Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := pl.rechecker.newRound(pl.view, list, now)
	if id != "" {
		r = pl.rechecker.partialRound(pl.view, list, map[string]bool{id: true}, now)
	}
	pl.do(Act{Round: r})
	return true
}
