// Package learn runs the learners that look at a whole window (package miner), beside a run
// loop. A [Worker] is one goroutine that looks at one window at a time. The run loop copies
// a window and goes on reading lines. A look can be given up at any time.
package learn

import (
	"slices"
	"sync/atomic"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// Window is a site's window to look at.
type Window struct {
	*miner.Machine               // the window: see Machine.Content
	Listed         []rule.Likely // rules of the site that are listed already; the worker sets their weights
	Valid          []rule.Record // published rules of the site
}

// Found is the result of a look.
type Found struct {
	Listed []rule.Likely // the listed rules with their weights
	Rules  []rule.Likely // the rules that belong behind the listed rules
	Notes  []notes.Note  // what the log cannot tell; figures are of the pages looked at
	Waste  *waste.Told   // by the published rules, or by the likely rules that people see if there are none; nil: not known
	Days   []waste.Day   // by the same rules
	Seen   *notes.Seen   // what the log shows; nil: there are rules
	OK     bool          // false: the look was given up
}

// Turn lets one worker of a process look at a time. Any goroutine may use a Turn. A nil Turn
// is always free.
type Turn chan struct{}

// NewTurn returns a free Turn.
func NewTurn() Turn { return make(Turn, 1) }

// Take takes the turn if it is free, and reports whether it was. Take does not wait.
func (t Turn) Take() bool {
	if t == nil {
		return true
	}
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// Leave frees the turn that the caller has taken.
func (t Turn) Leave() {
	if t != nil {
		<-t
	}
}

// Worker looks at windows. Offer, GiveUp and Close belong to one goroutine.
type Worker struct {
	o       Options
	windows chan Window
	found   chan Found
	done    chan struct{}
	giveUp  atomic.Bool
}

// Options of a worker.
type Options struct {
	Miner   miner.Options
	MaxURLs int // of a larger window the worker looks at a sample of so many URLs; 0: at any window
}

// Bytes is an upper bound for the memory of a look at the window of an ordinary site, for
// each URL.
const Bytes = 1500

// Start starts a worker, which the caller must close.
func Start(o Options) *Worker {
	w := &Worker{o: o, windows: make(chan Window, 1), found: make(chan Found, 1), done: make(chan struct{})}
	go w.run()
	return w
}

func (w *Worker) run() {
	defer close(w.done)
	for window := range w.windows {
		urls := window.Window()
		if w.o.MaxURLs > 0 {
			urls.Keep(w.o.MaxURLs, w.o.Miner.Table.Rank)
		}
		pages := urls.Pages()
		rules, ok := w.o.Miner.Learn(window.Site(), pages, window.Days(), window.Listed, w.giveUp.Load)
		found := Found{Listed: window.Listed, Rules: rules, OK: ok}
		left := window.LeftOut()
		if left > 0 {
			left += window.URLs() - len(pages)
		}
		said := w.o.Miner.Notes(pages, window.Clients(), left)
		found.Notes = said.Notes
		if ok {
			found.Waste, found.Days = Waste(&window, pages, rules, said)
			found.Seen = See(&window, pages, rules, &w.o.Miner)
		}
		w.found <- found
	}
}

// Waste returns the waste of the pages of a window, or of a sample of them, with the rules found in it,
// and the same by day. Both are nil if the rules are too many for a canonizer.
func Waste(w *Window, pages []evidence.Page, found []rule.Likely, n *notes.Site) (told *waste.Told, days []waste.Day) {
	told = &waste.Told{Sample: w.Sampled() || len(pages) < w.URLs()}
	var rules []rule.Rule
	for i := range w.Valid {
		if r, err := w.Valid[i].Rule(); err == nil {
			rules = append(rules, r)
		}
	}
	told.Valid = len(rules)
	if told.Valid == 0 {
		likely, _ := shown.Choose(slices.Concat(w.Listed, found), false)
		for i := range likely {
			if shown.Counts(&likely[i]) {
				rules = append(rules, likely[i].Rule)
			}
		}
		told.Likely = len(rules)
	}
	forms, err := miner.Forms(pages, rules, n)
	if err != nil {
		return nil, nil
	}
	all := miner.Told(forms, pages, w.Families(), n)
	told.Waste, told.Caught, told.Contents = all.Waste, all.Caught, all.Contents
	days = forms.ByDay(w.Visits())
	for i := range days {
		days[i].Valid, days[i].Likely, days[i].Sample = told.Valid, told.Likely, told.Sample
	}
	return told, days
}

// See returns what the pages of a window, or of a sample of them, show; nil if there are rules.
func See(w *Window, pages []evidence.Page, found []rule.Likely, o *miner.Options) *notes.Seen {
	if len(w.Listed)+len(found)+len(w.Valid) > 0 {
		return nil
	}
	seen := o.See(pages)
	seen.Sample = w.Sampled() || len(pages) < w.URLs()
	return &seen
}

// Offer gives the worker a window to look at. Offer does not wait. The result of the last
// window must have been taken from Found.
func (w *Worker) Offer(window Window) {
	w.giveUp.Store(false)
	w.windows <- window
}

// Found returns the channel of the results, one for each window.
func (w *Worker) Found() <-chan Found { return w.found }

// GiveUp makes the worker end the look under way, if there is one. The result is still
// sent.
func (w *Worker) GiveUp() { w.giveUp.Store(true) }

// Close ends the worker and waits for its goroutine.
func (w *Worker) Close() {
	w.GiveUp()
	close(w.windows)
	<-w.done
}
