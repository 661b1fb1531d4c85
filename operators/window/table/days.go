package table

import (
	"iter"
	"slices"

	"dustbuster/operators/window/days"
	"dustbuster/operators/window/evidence"
)

// foldDay adds the sizes of a part to the days of a URL, before the part widens the entry of its
// class. had is that entry.
func (t *Table) foldDay(id uint32, time int64, p evidence.Part, had evidence.Extent) {
	if p.Class == evidence.Digest || p.Empty() {
		return
	}
	only := evidence.Span{Class: p.Class, Min: had.Min, Max: had.Max} // if the URL has an only size
	if had.Empty() {
		only = t.only(id)
	}
	t.days.Fold(id, evidence.PaneOf(time, evidence.SecondsOfDay), p.Span(), only)
}

// only returns the only size of a URL, or an empty span if it has none, several, or sizes in
// several classes.
func (t *Table) only(id uint32) (s evidence.Span) {
	for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
		e := &t.entries[at-1]
		switch {
		case e.class == evidence.Digest || e.min > e.max:
		case s.Max > 0 || e.min != e.max:
			return evidence.Span{}
		default:
			s = e.part().Span()
		}
	}
	return s
}

// Days is the days of a table's URLs, for comparing pages by day: the days kept of a window
// without an end, and otherwise its panes.
type Days struct {
	store   *days.Store
	heads   []uint32
	entries []entry
	newest  int64
}

// Days returns the days of the table, which share its memory. They are valid until the next Fold.
func (t *Table) Days() Days {
	if t.o.Window <= 0 {
		if t.days != nil {
			t.days.Settle()
		}
		return Days{store: t.days}
	}
	return Days{heads: t.heads, entries: t.entries, newest: t.newest}
}

// Clone returns a copy that another goroutine may use. O(entries).
func (d Days) Clone() Days {
	if d.store != nil {
		d.store = d.store.Clone()
	}
	return Days{d.store, slices.Clone(d.heads), slices.Clone(d.entries), d.newest}
}

// Append appends the days of a page that was copied from the table's list. The days of a class are
// in a row. The zero Days has none.
func (d Days) Append(to []evidence.Day, page *evidence.Page) []evidence.Day {
	if d.store != nil {
		return d.store.Append(to, page.Number, only(page.Evidence.Sizes()))
	}
	if int(page.Number) >= len(d.heads) {
		return to
	}
	begin := len(to)
	for at := d.heads[page.Number]; at != 0; at = d.entries[at-1].next {
		if e := &d.entries[at-1]; e.class != evidence.Digest && e.min <= e.max {
			to = append(to, evidence.PaneDay(numberOf(e.pane, d.newest), e.part().Span()))
		}
	}
	slices.SortFunc(to[begin:], evidence.Day.Compare)
	return to
}

// Doubles yields the URLs that are double in some class, with their split evidence: see evidence.Similarity.Split. A URL is
// valid until the next. O(URLs).
func (t *Table) Doubles(s evidence.Similarity) iter.Seq2[[]byte, evidence.Spans] {
	return func(yield func([]byte, evidence.Spans) bool) {
		days, page := t.Days(), evidence.Page{}
		for id := range t.heads {
			page.Number, page.Evidence = uint32(id), t.Evidence(page.Evidence[:0], uint32(id))
			if split, is := s.Split(&page, days.Append); is && !yield(t.urls.Text(uint32(id)), split) {
				return
			}
		}
	}
}

func only(sizes evidence.Spans) evidence.Span {
	if len(sizes) == 1 && sizes[0].Min == sizes[0].Max {
		return sizes[0]
	}
	return evidence.Span{}
}
