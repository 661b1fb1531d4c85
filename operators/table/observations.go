package table

import (
	"iter"

	"dustbuster/operators/evidence"
)

// Observations yields what the table holds: whoever folds it into an empty table
// of the same options has the same table. What is yielded is valid until the
// next. O(URLs).
func (t *Table) Observations() iter.Seq[*evidence.Observation] {
	return func(yield func(*evidence.Observation) bool) {
		var o evidence.Observation
		for id := range t.heads {
			if !t.observe(&o, uint32(id), func(*entry) bool { return true }, yield) {
				return
			}
		}
	}
}

// Unsaved yields what has changed since it was last taken, if Options.Track is
// set; what has meanwhile left the window is not among it. Whoever stops amid
// it is given the rest, and what was yielded last, the next time. O(changes).
func (t *Table) Unsaved() iter.Seq[*evidence.Observation] {
	return func(yield func(*evidence.Observation) bool) {
		var o evidence.Observation
		unsaved := func(e *entry) bool { return e.unsaved }
		for k, id := range t.unsaved {
			if !t.observe(&o, id, unsaved, yield) {
				t.unsaved = append(t.unsaved[:0], t.unsaved[k:]...)
				return
			}
			for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
				t.entries[at-1].unsaved = false
			}
			t.dirty[id] &^= inUnsaved
		}
		t.unsaved = t.unsaved[:0]
	}
}

// observe yields those entries of a URL that are wanted; false if it was told to
// stop.
func (t *Table) observe(o *evidence.Observation, id uint32, want func(*entry) bool, yield func(*evidence.Observation) bool) bool {
	for at := t.heads[id]; at != 0; {
		e := &t.entries[at-1]
		at = e.next
		if !want(e) {
			continue
		}
		o.URL, o.Time = t.urls.Text(id), t.timeOf(e.pane)
		o.Set(e.part())
		if !yield(o) {
			return false
		}
	}
	return true
}

// timeOf is the first second of a pane.
func (t *Table) timeOf(pane int64) int64 {
	if t.o.Window <= 0 {
		return 0
	}
	return evidence.PaneStart(pane, t.o.Pane)
}
