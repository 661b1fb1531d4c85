package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// derived holds what follows from the book and the input. The acts are done here, so that
// what an act makes outdated is dropped at once.
type derived struct {
	o    *book.Options
	book *book.Book
	input
	view *forms.View // of the window and L; nil until derived

	publisher *publisher
	rechecker *rechecker
	attempts  *attempts
}

// input is what the caller loaded last.
type input struct {
	window     *forms.Window
	guard      *forms.Guard // of the window
	candidates []book.Candidate
}

func newDerived(b *book.Book) derived {
	return derived{o: b.Options, book: b, publisher: &publisher{site: b.Site, o: b.Options, book: b},
		rechecker: &rechecker{o: b.Options, book: b, checked: map[string]bool{}}, attempts: &attempts{awaited: map[book.Key]bool{}}}
}

// do applies an act and keeps it for Machine.Acts.
func (d *derived) do(a book.Act) {
	if a.Rule != nil {
		a.Rule.Pinned = d.book.Pinned(a.Rule)
	}
	d.drop(&a, d.book.Do(&a))
}

// Restore applies a saved act. A machine that is given all acts of another machine, in order and
// before the first window, continues where the other machine stopped. If the last acts were lost, they
// are done again.
func (d *derived) Restore(a book.Act) {
	d.drop(&a, d.book.Apply(&a))
}

// drop drops the derived state that an act makes outdated. listChanged reports whether the
// act changed L.
func (d *derived) drop(a *book.Act, listChanged bool) {
	if listChanged {
		d.forget()
	}
	if a.Rule != nil {
		d.attempts.rule = nil
	}
	if a.Round != nil && !a.Round.SetEnd {
		d.rechecker.reset()
		d.attempts.recheck = nil
	}
	if a.Wishes != nil {
		if d.guard != nil {
			d.guard = d.guard.Allow(d.book.Allowed())
		}
		d.publisher.unsure = true
		d.forget() // the view keeps what vetoed texts say of rules
	}
	if a.Approved != "" {
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
	d.attempts.forget()
	d.publisher.forget()
	d.rechecker.sought = false
}

// Load gives the machine the current window, and the site's candidates in order. L,
// outcomes and verdicts stay. The next Next recomputes all state derived from the window.
func (d *derived) Load(w *forms.Window, candidates []rule.Candidate) {
	var has func(url string) bool
	if d.o.Has != nil {
		has = func(url string) bool { return d.o.Has(d.book.Site, url) }
	}
	d.window, d.guard, d.candidates = w, forms.NewGuard(w, d.o, has).Allow(d.book.Allowed()), d.candidates[:0]
	d.publisher.unsure = true
	d.separate(w.Separators)
	confiner := w.Confiner()
	for i, c := range candidates {
		c.Rule = confiner.Confined(c.Rule)
		if c.Rule.Validate() == nil {
			d.candidates = append(d.candidates, book.Candidate{ID: rule.ID(d.book.Site, &c.Rule), Rule: c.Rule, Support: c.Support, Grounds: d.o.GroundsOf(&c), Order: i})
		}
	}
	d.forget()
}

// Unload drops the window and what is derived from it, to save memory. The machine gives out no look until
// the next Load, after which it continues.
func (d *derived) Unload() {
	d.input = input{}
	d.forget()
}

// derive makes the view if there is none, and reports whether it made one.
func (d *derived) derive(now int64) (made bool) {
	for d.view == nil {
		made = true
		list, rank := d.book.Valid(), 0
		if d.view, rank = forms.NewView(d.book, d.window, d.guard, list); d.view == nil {
			d.leaveOut(list, rank, now)
			continue
		}
		d.view.Now = now
	}
	return made
}

// leaveOut takes out of L a rule that leaves a URL without a canonical form.
func (d *derived) leaveOut(list []*book.Entry, place int, now int64) {
	e := *list[place]
	e.State, e.Verdict.Reason, e.Verdict.Time = rule.Undecided, book.ByUnsafe, now
	d.leave(list, place, &e, now)
}

// leave takes the rule at a place out of a list and notes its new entry.
func (d *derived) leave(list []*book.Entry, place int, e *book.Entry, now int64) {
	d.do(book.Act{Rule: e, Round: d.rechecker.afterLeaving(d.view, d.window, list, place, now)})
}

// judge returns the judge at a time.
func (d *derived) judge(now int64) attempt.Judge {
	return attempt.Judge{Options: d.o, Book: d.book, Window: d.window, View: d.view, Now: now}
}
