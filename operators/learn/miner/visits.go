package miner

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// people is the mask of the family of people.
const people = 1

// visits are the robots that asked for each URL on each day, for a window without an end, whose table
// does not know days. A URL has a chain of entries, one a day, the last one added first.
type visits struct {
	heads   []uint32 // by number: first entry + 1
	entries []visit
	free    uint32 // first of the unused entries + 1
}

// visit is a day of a URL.
type visit struct {
	date     int32
	families uint32
	next     uint32
}

// count takes in an observation. O(1) for the day that came last, and O(days of the URL).
func (v *visits) count(id uint32, o *evidence.Observation) {
	if families := o.Families &^ people; families != 0 {
		date := evidence.PaneOf(o.Time, evidence.SecondsOfDay)
		v.add(id, int32(min(max(date, math.MinInt32), math.MaxInt32)), families)
	}
}

func (v *visits) add(id uint32, date int32, families uint32) {
	for int(id) >= len(v.heads) {
		v.heads = append(v.heads, 0)
	}
	for at := v.heads[id]; at != 0; at = v.entries[at-1].next {
		if e := &v.entries[at-1]; e.date == date {
			e.families |= families
			return
		}
	}
	at := v.free
	if at != 0 {
		v.free = v.entries[at-1].next
	} else {
		v.entries = append(v.entries, visit{})
		at = uint32(len(v.entries))
	}
	v.entries[at-1] = visit{date, families, v.heads[id]}
	v.heads[id] = at
}

// join adds the days of a URL of other visits.
func (v *visits) join(id uint32, from *visits, number uint32) {
	if int(number) >= len(from.heads) {
		return
	}
	for at := from.heads[number]; at != 0; at = from.entries[at-1].next {
		v.add(id, from.entries[at-1].date, from.entries[at-1].families)
	}
}

// forget drops the days of a URL.
func (v *visits) forget(id uint32) {
	if int(id) >= len(v.heads) {
		return
	}
	for at := v.heads[id]; at != 0; {
		e := &v.entries[at-1]
		at, e.next, v.free = e.next, v.free, at
	}
	v.heads[id] = 0
}

// list returns the visits in the order of their dates.
func (v *visits) list() (all []waste.Visit) {
	for id, at := range v.heads {
		for ; at != 0; at = v.entries[at-1].next {
			e := &v.entries[at-1]
			all = append(all, waste.Visit{Date: int64(e.date), URL: uint32(id), Families: e.families})
		}
	}
	slices.SortFunc(all, func(v, w waste.Visit) int { return cmp.Compare(v.Date, w.Date) })
	return all
}

func (v *visits) bytes() int64 {
	return int64(cap(v.heads))*4 + int64(cap(v.entries))*int64(unsafe.Sizeof(visit{}))
}

// Visits returns which families asked for the URLs of the window on each day: see table.Visits. Of a
// window without an end they are known with Options.Visits, without people.
func (m *Machine) Visits() []waste.Visit {
	if m.visited() {
		return m.visits.list()
	}
	return m.table.Visits()
}

// visited reports whether visits are counted by the machine, and not known by the table.
func (m *Machine) visited() bool { return m.o.Visits && m.o.Table.Window <= 0 }
