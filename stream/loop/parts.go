package loop

import (
	"iter"
	"maps"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/prober"
)

// windowCuts is the part of the state that says how windows were cut.
type windowCuts struct {
	sites *miner.Sites
	cut   map[*miner.Machine]bool // since the last checkpoint
}

// Changes yields the cuts of the windows that were cut.
func (w *windowCuts) Changes() iter.Seq[checkpoint.Change] {
	return w.of(func(m *miner.Machine) bool { return w.cut[m] })
}

// All yields all cuts.
func (w *windowCuts) All() iter.Seq[checkpoint.Change] {
	return w.of(func(m *miner.Machine) bool { return len(m.Cuts()) > 0 })
}

// Saved marks all cuts as saved.
func (w *windowCuts) Saved() { clear(w.cut) }

func (w *windowCuts) of(want func(*miner.Machine) bool) iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		for m := range w.sites.Held() {
			if want(m) && !yield(checkpoint.Cuts{Site: m.Site(), Cuts: m.Cuts()}) {
				return
			}
		}
	}
}

// listSize is the number of observations in one change: some hundred kilobytes, so that
// saving a million observations needs little memory.
const listSize = 8192

// tables is the part of the state with the observations of all tables. The URLs of a change
// are the table's, which does not change while a checkpoint is written.
type tables struct {
	sites *miner.Sites
	list  []evidence.Observation
}

// Changes yields the observations that changed.
func (t *tables) Changes() iter.Seq[checkpoint.Change] { return t.of((*miner.Machine).Unsaved) }

// All yields all observations.
func (t *tables) All() iter.Seq[checkpoint.Change] { return t.of((*miner.Machine).Observations) }

// Saved marks all observations as saved.
func (t *tables) Saved() {
	for m := range t.sites.Held() {
		m.MarkSaved()
	}
}

func (t *tables) of(observations func(*miner.Machine) iter.Seq[*evidence.Observation]) iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		for m := range t.sites.Held() {
			t.list = t.list[:0]
			for o := range observations(m) {
				if t.list = append(t.list, *o); len(t.list) < listSize {
					continue
				}
				if !yield(checkpoint.Observations{Site: m.Site(), List: t.list}) {
					return
				}
				t.list = t.list[:0]
			}
			if len(t.list) > 0 && !yield(checkpoint.Observations{Site: m.Site(), List: t.list}) {
				return
			}
		}
	}
}

// acts is the part of the state with the acts of rules' lives.
type acts interface {
	checkpoint.Part
	restore(checkpoint.Change)
}

// trials is the part while rules are tried.
type trials struct {
	worker    *prober.Worker
	pending   []checkpoint.Change          // drained from the worker, and not yet saved
	outgoing  map[string]*book.Publication // by site, among pending: to be published once they are saved
	published map[string]*book.Publication // by site
}

func newTrials(w *prober.Worker) *trials {
	return &trials{worker: w, outgoing: map[string]*book.Publication{}, published: map[string]*book.Publication{}}
}

func (t *trials) restore(c checkpoint.Change) { t.worker.Restore(c) }

// drain takes the worker's acts since the last checkpoint.
func (t *trials) drain() {
	fresh := t.worker.Drain()
	for _, c := range fresh {
		t.note(c)
	}
	t.pending = append(t.pending, fresh...)
}

// note notes a publication that the next checkpoint saves.
func (t *trials) note(c checkpoint.Change) {
	a, ok := c.(checkpoint.Act)
	if !ok || a.Publication == nil || a.Publication.Sequence == 0 {
		return
	}
	if p := t.published[a.Site]; p == nil || p.Sequence != a.Publication.Sequence {
		p := *a.Publication // a dump shares the machine's
		t.outgoing[a.Site] = &p
	}
}

// Changes yields the drained acts.
func (t *trials) Changes() iter.Seq[checkpoint.Change] { return slices.Values(t.pending) }

// All yields changes that replace all acts saved before.
func (t *trials) All() iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		for c := range t.worker.Dump() {
			if t.note(c); !yield(c) {
				return
			}
		}
	}
}

// Saved marks the drained acts as saved.
func (t *trials) Saved() { t.pending = nil }

// takeOutgoing reports whether there are publications that have been saved and not yet been
// published, and counts them as published.
func (t *trials) takeOutgoing() bool {
	some := len(t.outgoing) > 0
	maps.Copy(t.published, t.outgoing)
	clear(t.outgoing)
	return some
}

// untried is the part while no rules are tried: the acts of an earlier process that tried
// rules are kept.
type untried struct{ kept []checkpoint.Change }

func (u *untried) restore(c checkpoint.Change) { u.kept = append(u.kept, c) }

// Changes yields nothing.
func (u *untried) Changes() iter.Seq[checkpoint.Change] {
	return slices.Values[[]checkpoint.Change](nil)
}

// All yields the kept acts.
func (u *untried) All() iter.Seq[checkpoint.Change] { return slices.Values(u.kept) }

// Saved does nothing.
func (u *untried) Saved() {}
