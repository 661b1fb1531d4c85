package lifecycle

import "dustbuster/operators/rule"

// planner decides what comes next. All its state but the tests given out follows from the
// book, the window and the candidates, or is set by the caller.
type planner struct {
	o    *Options
	book *book
	input
	view *view // of the window and L; nil until derived

	publisher *publisher
	rechecker *rechecker
	trials    *trials

	now     int64 // time of the current next
	resting bool  // no rules are tried: see Machine.Rest
	closing bool  // nothing more can be fetched: see Machine.Close
	barred  int   // pairs left out of the trials that ended with a verdict
}

// input is what the caller loaded last.
type input struct {
	window     *Window
	guard      *guard // of the window
	candidates []candidate
}

func newPlanner(b *book) *planner {
	return &planner{o: b.o, book: b, publisher: &publisher{site: b.site, o: b.o, book: b, length: -1},
		rechecker: &rechecker{o: b.o, book: b, checked: map[string]bool{}}, trials: &trials{awaited: map[key]bool{}}}
}

// do applies an act and keeps the act for Acts.
func (pl *planner) do(a Act) {
	pl.drop(&a, pl.book.do(&a))
}

// restore applies a saved act.
func (pl *planner) restore(a Act) {
	pl.drop(&a, pl.book.apply(&a))
}

// drop drops the derived state that an act makes outdated. listChanged reports whether the
// act changed L.
func (pl *planner) drop(a *Act, listChanged bool) {
	if listChanged {
		pl.forget()
	}
	if a.Rule != nil {
		pl.trials.rule = nil
	}
	if a.Round != nil && !a.Round.SetEnd {
		pl.rechecker.reset()
		pl.trials.recheck = nil
	}
	if a.Approved != "" {
		pl.publisher.update, pl.publisher.length, pl.trials.set = PendingUpdate{}, -1, nil
	}
}

// forget drops the state derived from L and the window.
func (pl *planner) forget() {
	pl.view = nil
	pl.trials.forget()
	pl.publisher.forget()
	pl.rechecker.sought = false
}

// load replaces the window and the candidates.
func (pl *planner) load(w *Window, candidates []rule.Candidate) {
	pl.window, pl.guard, pl.candidates = w, newGuard(w, pl.o.Veil), pl.candidates[:0]
	pl.separate(w.separators)
	for i, c := range candidates {
		if c.Rule.Validate() == nil {
			pl.candidates = append(pl.candidates, candidate{rule.ID(pl.book.site, &c.Rule), c.Rule, c.Support, i, false})
		}
	}
	pl.forget()
}

// step is the result of one part of the machine.
type step uint8

const (
	nothing step = iota // there is nothing to do
	gave                // a test
	changed             // something changed; the caller looks again
	waiting             // for outcomes
	ready               // the part is done
)

// next returns the pair to fetch next: see Machine.Next.
func (pl *planner) next(now int64) (Test, bool) {
	if pl.window == nil {
		return Test{}, false
	}
	pl.now = now
	for {
		pl.derive(now)
		switch test, s := pl.step(now); s {
		case gave:
			if pl.mayFetch(&test) {
				return test, true
			}
		case changed:
		default:
			return Test{}, false
		}
	}
}

// step takes the first possible step.
func (pl *planner) step(now int64) (Test, step) {
	if pl.renew(now) {
		return Test{}, changed
	}
	if pl.publisher.due(pl.view, false, now) {
		if test, s := pl.publish(now); s != nothing {
			return test, s
		}
	}
	if test, s := pl.recheckAll(now); s != nothing {
		return test, s
	}
	if !pl.resting {
		if test, s := pl.try(now); s != nothing {
			return test, s
		}
	}
	if pl.publisher.due(pl.view, true, now) {
		if test, s := pl.publish(now); s != nothing {
			return test, s
		}
	}
	if test, s := pl.further(now); s != nothing {
		return test, s
	}
	if stage := pl.book.learned.next(pl.view); stage > 0 && !pl.resting && !pl.o.GivenOnly && now >= pl.book.learned.At+pl.o.LevelEvery {
		l := pl.view.learn(stage, now)
		pl.do(Act{Learnt: &l})
		return Test{}, changed
	}
	return Test{}, nothing
}

// derive makes the view if there is none.
func (pl *planner) derive(now int64) {
	for pl.view == nil {
		list, rank := pl.book.valid(), 0
		if pl.view, rank = newView(pl.book, &pl.input, list); pl.view == nil {
			pl.leaveOut(list, rank, now)
		}
	}
}

// leaveOut takes out of L a rule that leaves a URL without a canonical form.
func (pl *planner) leaveOut(list []*Entry, place int, now int64) {
	e := *list[place]
	e.State, e.Verdict.Reason, e.Verdict.Time = rule.Undecided, byUnsafe, now
	pl.leave(list, place, &e, now)
}
