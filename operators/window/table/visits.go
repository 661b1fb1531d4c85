package table

import (
	"cmp"
	"slices"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// Visits returns which families asked for each URL on each day, in the order of the days. The days are
// those that the window holds as a whole, and the newest. A pane is of the day on which it begins, and a
// URL with several panes in a day has several visits. A window without an end has no days. O(entries).
func (t *Table) Visits() (all []waste.Visit) {
	if _, some := t.Newest(); t.o.Window <= 0 || !some {
		return nil
	}
	dateOf := func(pane int64) int64 { return evidence.PaneOf(t.timeOf(pane), evidence.SecondsOfDay) }
	newest := dateOf(t.newest)
	first := newest // whole day
	if oldest := t.oldest(); dateOf(oldest) < newest {
		first = dateOf(oldest) + 1
	}
	for id := range t.heads {
		for at := t.heads[id]; at != 0; at = t.entries[at-1].next {
			e := &t.entries[at-1]
			if date := dateOf(t.number(e)); date >= first && e.families != 0 {
				all = append(all, waste.Visit{Date: date, URL: uint32(id), Families: e.families})
			}
		}
	}
	slices.SortStableFunc(all, func(v, w waste.Visit) int { return cmp.Compare(v.Date, w.Date) })
	return all
}
