package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// life holds what follows from the book and the input. The acts are done here, so that
// what an act makes outdated is dropped at once.
type life struct {
	o    *book.Options
	book *book.Book
	input
	view *forms.View // of the window and L; nil until derived
	last *forms.View // before; nil: of another window

	shown *shownForms // of the view and the documents; nil until sought

	publisher *publisher
	rechecker *rechecker
	ongoing   *ongoing

	now      int64    // time of the current Next
	rest     Rest     // see Machine.Rest
	closing  bool     // nothing more can be fetched: see Machine.Close
	present  Now      // as of the last Next
	coverage coverage // of L
	yield    yield    // of trials
}

// Rest says which rules may be tried.
type Rest uint8

// The degrees of rest.
const (
	NoRest   Rest = iota
	LastRule      // only the trial under way goes on, with an exception as well
	FullRest      // no rule is tried
)

// input is what the caller loaded last.
type input struct {
	window     *forms.Window
	guard      *forms.Guard // of the window
	candidates []book.Candidate
}

func newLife(b *book.Book) *life {
	return &life{o: b.Options, book: b, publisher: &publisher{records: records{b.Site, b.Options, b}},
		rechecker: &rechecker{o: b.Options, book: b}, ongoing: &ongoing{awaited: map[book.Key]bool{}}, present: Now{Why: FirstLook}}
}

// goesOnLater puts the trial of a rule, or of the set, aside if a pair in doubt may not be looked at again yet. It was
// looked at first at a time; 0: there is none.
func (li *life) goesOnLater(id string, first, now int64) bool {
	due := first + li.o.SecondAfter
	if first == 0 || due <= now || li.rest != NoRest {
		return false
	}
	if li.ongoing.aside == nil {
		li.ongoing.aside = aside{}
	}
	li.ongoing.aside[id] = due
	return true
}

// do applies an act and keeps it for Machine.Acts.
func (li *life) do(a book.Act) {
	if a.Rule != nil {
		a.Rule.Pinned = li.book.Pinned(a.Rule)
	}
	li.drop(&a, li.book.Do(&a))
}

// Restore applies a saved act. A machine that is given all acts of another machine, in order and
// before the first window, continues where the other machine stopped. If the last acts were lost, they
// are done again.
func (li *life) Restore(a book.Act) {
	li.drop(&a, li.book.Apply(&a))
}

// drop drops the derived state that an act makes outdated. listChanged reports whether the
// act changed L.
func (li *life) drop(a *book.Act, listChanged bool) {
	if listChanged {
		li.forget()
	}
	if a.Pair != nil || a.Noise > 0 || a.Stale != nil {
		li.shown = nil
	}
	if a.Rule != nil {
		li.ongoing.rule = nil
	}
	if a.Round != nil && !a.Round.SetEnd {
		li.rechecker.reset()
		li.ongoing.recheck = nil
	}
	if a.Wishes != nil {
		if li.guard != nil {
			li.guard = li.guard.Allow(li.book.Allowed())
		}
		li.publisher.unsure = true
		li.forget() // the view keeps what vetoed texts say of rules
	}
	if a.Approved != "" {
		li.publisher.forget()
	}
	if a.Publication != nil {
		li.publisher.forget()
		if a.Publication.Hour == 0 {
			li.publisher.early = early{}
		}
	}
}

// forget drops the state derived from L and the window.
func (li *life) forget() {
	if li.view != nil {
		li.last, li.view = li.view, nil
	}
	li.shown = nil
	li.ongoing.forget()
	li.publisher.forget()
	li.rechecker.sought = false
}

// Load gives the machine the current window, and the site's candidates in order. L,
// outcomes and verdicts stay. The next Next recomputes all state derived from the window.
func (li *life) Load(w *forms.Window, candidates []rule.Candidate) {
	var has func(url string) bool
	if li.o.Has != nil {
		has = func(url string) bool { return li.o.Has(li.book.Site, url) }
	}
	li.window, li.guard, li.candidates = w, forms.NewGuard(w, li.o, has).Allow(li.book.Allowed()), li.candidates[:0]
	li.publisher.unsure = true
	li.separate(w.Separators)
	confiner := w.Confiner()
	for i, c := range candidates {
		c.Rule = confiner.Confined(c.Rule)
		if c.Rule.Validate() == nil {
			li.candidates = append(li.candidates, book.Candidate{ID: rule.ID(li.book.Site, &c.Rule), Rule: c.Rule, Support: c.Support, Grounds: li.o.GroundsOf(&c), Order: i})
		}
	}
	li.forget()
	li.last = nil
}

// Unload drops the window and what is derived from it, to save memory. The machine gives out no look until
// the next Load, after which it continues.
func (li *life) Unload() {
	li.input = input{}
	li.forget()
	li.last = nil
}

// derive makes the view if there is none, and reports whether it made one.
func (li *life) derive(now int64) (made bool) {
	for li.view == nil {
		made = true
		list, rank := li.book.Valid(), 0
		if li.view, rank = forms.NewView(li.book, li.window, li.guard, list); li.view == nil {
			li.leaveOut(list, rank, now)
			continue
		}
		li.view.Now = now
		li.view.Inherit(li.last)
		li.last = nil
	}
	return made
}

// leaveOut takes out of L a rule that leaves a URL without a canonical form.
func (li *life) leaveOut(list []*book.Entry, place int, now int64) {
	e := *list[place]
	e.State, e.Verdict.Reason, e.Verdict.Time = rule.Undecided, book.ByUnsafe, now
	li.leave(list, place, &e, now)
}

// leave takes the rule at a place out of a list and notes its new entry.
func (li *life) leave(list []*book.Entry, place int, e *book.Entry, now int64) {
	li.do(book.Act{Rule: e, Round: li.rechecker.afterLeaving(li.view, li.window, list, place, now)})
}

// judge returns the judge at a time.
func (li *life) judge(now int64) trials.Judge {
	return trials.Judge{Options: li.o, Book: li.book, Window: li.window, View: li.view, Now: now}
}

// See takes in the separators of parameters in the site's queries. Published records
// without these separators are renewed at once.
func (li *life) See(s urlnorm.Separators, now int64) {
	li.separate(s)
	li.renew(now)
}

// separate remembers separators.
func (li *life) separate(s urlnorm.Separators) {
	if !li.book.Separators.Has(s) {
		li.do(book.Act{Separators: li.book.Separators | s})
	}
}

// renew publishes the same rules again if some record lacks a separator, and reports
// whether a publication was made.
func (li *life) renew(now int64) bool {
	p := li.publisher.renewed(now)
	if p != nil {
		li.do(book.Act{Publication: p})
	}
	return p != nil
}
