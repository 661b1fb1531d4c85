package table

import (
	"iter"
	"slices"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Observations yields the content of the table. An empty table with the same options that
// folds these observations becomes equal. An observation is valid until the next one.
// O(URLs).
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

// View returns a table with the same content over a clone of the list of URLs. Any goroutine may read
// the view while the table goes on. The view takes no observations. O(entries).
func (t *Table) View(urls *urllist.List) *Table {
	v := &Table{o: t.o, panes: t.panes, newest: t.newest, urls: urls, heads: slices.Clone(t.heads), entries: slices.Clone(t.entries),
		gone: t.gone, separators: t.separators, sampled: t.Sampled(), left: t.leftOut()}
	if t.days != nil {
		v.days = t.days.Clone()
	}
	return v
}

// Unsaved yields the entries that have changed since the last MarkSaved, if Options.Track is
// set. Entries that have left the window in the meantime are not yielded. O(changes).
func (t *Table) Unsaved() iter.Seq[*evidence.Observation] {
	return func(yield func(*evidence.Observation) bool) {
		var o evidence.Observation
		unsaved := func(e *entry) bool { return e.unsaved }
		for _, id := range t.unsaved {
			if !t.observe(&o, id, unsaved, yield) {
				return
			}
		}
	}
}

// UnsavedURLs returns the number of URLs that Unsaved looks at.
func (t *Table) UnsavedURLs() int { return len(t.unsaved) }

// MarkSaved marks all entries as saved. O(changes).
func (t *Table) MarkSaved() {
	for _, id := range t.unsaved {
		for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
			t.entries[at-1].unsaved = false
		}
		t.dirty[id] &^= inUnsaved
	}
	t.unsaved = t.unsaved[:0]
}

// MarkUnsaved marks the entry of an observation that Unsaved has yielded as not saved, if it is still in
// the window.
func (t *Table) MarkUnsaved(o *evidence.Observation) {
	id, known := t.urls.Lookup(o.URL)
	if !known || int(id) >= len(t.heads) {
		return
	}
	pane := t.paneOf(o.Time)
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		if e := &t.entries[at-1]; t.number(e) == pane && e.class == o.Part(0).Class {
			e.unsaved = true
			t.mark(id, inUnsaved, &t.unsaved)
		}
	}
}

// observe yields the wanted entries of a URL. observe returns false if yield has returned
// false.
func (t *Table) observe(o *evidence.Observation, id uint32, want func(*entry) bool, yield func(*evidence.Observation) bool) bool {
	for at := t.heads[id]; at != 0; {
		e := &t.entries[at-1]
		at = e.next
		if !want(e) {
			continue
		}
		o.URL, o.Time = t.urls.Text(id), t.timeOf(t.number(e))
		o.Set(e.part())
		if !yield(o) {
			return false
		}
	}
	return true
}

// timeOf returns the first second of a pane.
func (t *Table) timeOf(pane int64) int64 {
	if t.o.Window <= 0 {
		return 0
	}
	return evidence.PaneStart(pane, t.o.Pane)
}
