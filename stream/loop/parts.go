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

// Changes yields the cuts of the windows that were cut.
func (w *windowCuts) Changes() iter.Seq[checkpoint.Change] {
	return w.of(func(m *miner.Machine) bool { return w.cut[m] })
}

// All yields all cuts.
func (w *windowCuts) All() iter.Seq[checkpoint.Change] {
	return w.of(func(m *miner.Machine) bool { return len(m.Cuts()) > 0 })
}

// Saved marks the cuts as saved.
func (w *windowCuts) Saved() { w.taken = nil }

// Failed marks the cuts as not saved.
func (w *windowCuts) Failed() { maps.Copy(w.cut, w.taken) }

func (w *windowCuts) of(want func(*miner.Machine) bool) iter.Seq[checkpoint.Change] {
	var all []checkpoint.Change
	for m := range w.sites.Held() {
		if want(m) {
			all = append(all, checkpoint.Cuts{Site: m.Site(), Cuts: slices.Clone(m.Cuts())})
		}
	}
	w.taken, w.cut = w.cut, map[*miner.Machine]bool{}
	return slices.Values(all)
}

// listSize is the number of observations in one change: some hundred kilobytes, so that
// saving a million observations needs little memory.
const listSize = 8192

// tables is the part of the state with the observations of all tables.
type tables struct {
	sites *miner.Sites
	taken []taken // changes that are being saved
}

// taken are observations of a site.
type taken struct {
	*miner.Machine
	all iter.Seq[*evidence.Observation]
}

// Changes yields the observations that changed.
func (t *tables) Changes() iter.Seq[checkpoint.Change] {
	t.taken = t.take(func(m *miner.Machine) iter.Seq[*evidence.Observation] {
		if m.UnsavedURLs() == 0 {
			return nil
		}
		list := make([]evidence.Observation, 0, m.UnsavedURLs())
		for o := range m.Unsaved() {
			list = append(list, *o)
		}
		return pointers(list)
	})
	return inLists(t.taken)
}

// All yields all observations.
func (t *tables) All() iter.Seq[checkpoint.Change] {
	return inLists(t.take(func(m *miner.Machine) iter.Seq[*evidence.Observation] { return m.Content().Observations() }))
}

// Saved marks the observations as saved.
func (t *tables) Saved() { t.taken = nil }

// Failed marks changes as not saved. After All, the whole part is saved again.
func (t *tables) Failed() {
	for m := range t.sites.Held() {
		for _, site := range t.taken {
			if site.Machine == m {
				m.MarkUnsaved(site.all)
			}
		}
	}
	t.taken = nil
}

// take takes observations of all sites, which then count as saved.
func (t *tables) take(of func(*miner.Machine) iter.Seq[*evidence.Observation]) (all []taken) {
	for m := range t.sites.Held() {
		if changes := of(m); changes != nil {
			all = append(all, taken{m, changes})
			m.MarkSaved()
		}
	}
	return all
}

// inLists yields observations in lists.
func inLists(all []taken) iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		var list []evidence.Observation
		for _, site := range all {
			list = list[:0]
			for o := range site.all {
				if list = append(list, *o); len(list) < listSize {
					continue
				}
				if !yield(checkpoint.Observations{Site: site.Site(), List: list}) {
					return
				}
				list = list[:0]
			}
			if len(list) > 0 && !yield(checkpoint.Observations{Site: site.Site(), List: list}) {
				return
			}
		}
	}
}

// pointers yields pointers to the elements of a list.
func pointers(list []evidence.Observation) iter.Seq[*evidence.Observation] {
	return func(yield func(*evidence.Observation) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

func newTrials(w *prober.Worker, changed func(site string, before, now *book.Publication)) *trials {
	return &trials{worker: w, changed: changed, outgoing: map[string]*book.Publication{}, published: map[string]*book.Publication{}}
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
	before := t.published[a.Site]
	if before == nil || before.Sequence != a.Publication.Sequence {
		if out := t.outgoing[a.Site]; out != nil {
			before = out
		}
		p := *a.Publication // a dump shares the machine's
		t.outgoing[a.Site] = &p
		t.changed(a.Site, before, &p)
	}
}

// Changes yields the drained acts.
func (t *trials) Changes() iter.Seq[checkpoint.Change] { return slices.Values(t.pending) }

// All yields changes that replace all acts saved before.
func (t *trials) All() iter.Seq[checkpoint.Change] {
	all := slices.Collect(t.worker.Dump())
	for _, c := range all {
		t.note(c)
	}
	return slices.Values(all)
}

// Saved marks the drained acts as saved. None are drained while a checkpoint is under way.
func (t *trials) Saved() { t.pending = nil }

// Failed does nothing: the acts are still pending.
func (t *trials) Failed() {}

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

// Failed does nothing.
func (u *untried) Failed() {}

// windowCuts is the part of the state that says how windows were cut.
type windowCuts struct {
	sites *miner.Sites
	cut   map[*miner.Machine]bool // since the last checkpoint
	taken map[*miner.Machine]bool // are being saved
}

// acts is the part of the state with the acts of rules' lives.
type acts interface {
	checkpoint.Part
	restore(checkpoint.Change)
}

// trials is the part while rules are tried.
type trials struct {
	worker    *prober.Worker
	pending   []checkpoint.Change                              // drained from the worker, and not yet saved
	outgoing  map[string]*book.Publication                     // by site, among pending: to be published once they are saved
	published map[string]*book.Publication                     // by site
	changed   func(site string, before, now *book.Publication) // called before the checkpoint with the publication
}
