package lifecycle

import "dustbuster/operators/rule"

// derived holds what follows from the book and the input. The acts are done here, so that
// what an act makes outdated is dropped at once.
type derived struct {
	o    *Options
	book *book
	input
	view *view // of the window and L; nil until derived

	publisher *publisher
	rechecker *rechecker
	trials    *trials
}

// input is what the caller loaded last.
type input struct {
	window     *Window
	guard      *guard // of the window
	candidates []candidate
}

func newDerived(b *book) derived {
	return derived{o: b.o, book: b, publisher: &publisher{site: b.site, o: b.o, book: b},
		rechecker: &rechecker{o: b.o, book: b, checked: map[string]bool{}}, trials: &trials{awaited: map[key]bool{}}}
}

// do applies an act and keeps the act for Acts.
func (d *derived) do(a Act) {
	if a.Rule != nil {
		a.Rule.Pinned = d.book.pinned(a.Rule.ID)
	}
	d.drop(&a, d.book.do(&a))
}

// restore applies a saved act.
func (d *derived) restore(a Act) {
	d.drop(&a, d.book.apply(&a))
}

// drop drops the derived state that an act makes outdated. listChanged reports whether the
// act changed L.
func (d *derived) drop(a *Act, listChanged bool) {
	if listChanged {
		d.forget()
	}
	if a.Rule != nil {
		d.trials.rule = nil
	}
	if a.Round != nil && !a.Round.SetEnd {
		d.rechecker.reset()
		d.trials.recheck = nil
	}
	if a.Wishes != nil {
		d.trials.forget()
	}
	if a.Approved != "" {
		d.publisher.update = PendingUpdate{}
		d.publisher.forget()
	}
	if a.Publication != nil {
		d.publisher.forget()
		if a.Publication.Hour == 0 {
			d.publisher.early = early{}
		}
	}
}

// forget drops the state derived from L and the window.
func (d *derived) forget() {
	d.view = nil
	d.trials.forget()
	d.publisher.forget()
	d.rechecker.sought = false
}

// load replaces the window and the candidates.
func (d *derived) load(w *Window, candidates []rule.Candidate) {
	var has func(url string) bool
	if d.o.Has != nil {
		has = func(url string) bool { return d.o.Has(d.book.site, url) }
	}
	d.window, d.guard, d.candidates = w, newGuard(w, d.o, has), d.candidates[:0]
	d.separate(w.separators)
	for i, c := range candidates {
		if c.Rule.Validate() == nil {
			d.candidates = append(d.candidates, candidate{id: rule.ID(d.book.site, &c.Rule), rule: c.Rule, support: c.Support, grounds: d.o.groundsOf(&c), order: i})
		}
	}
	d.forget()
}

// derive makes the view if there is none, and reports whether it made one.
func (d *derived) derive(now int64) (made bool) {
	for d.view == nil {
		made = true
		list, rank := d.book.valid(), 0
		if d.view, rank = newView(d.book, d.window, d.guard, list); d.view == nil {
			d.leaveOut(list, rank, now)
		}
	}
	return made
}

// leaveOut takes out of L a rule that leaves a URL without a canonical form.
func (d *derived) leaveOut(list []*Entry, place int, now int64) {
	e := *list[place]
	e.State, e.Verdict.Reason, e.Verdict.Time = rule.Undecided, byUnsafe, now
	d.leave(list, place, &e, now)
}

// leave takes the rule at a place out of a list and notes a new entry for the rule.
func (d *derived) leave(list []*Entry, place int, e *Entry, now int64) {
	d.do(Act{Rule: e, Round: d.rechecker.afterLeaving(d.view, list, place, now)})
}

// judge returns the judge at a time.
func (d *derived) judge(now int64) judge { return judge{o: d.o, book: d.book, window: d.window, view: d.view, now: now} }
