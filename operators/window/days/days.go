// Package days keeps the sizes of URLs by day, for windows without an end: of each URL and class
// the newest eight days with sizes. Pages that are equal differ on no day, even if their sizes
// change from day to day. Package weight compares the days of pages.
//
// The days of a URL are a fold, like the sizes of the window: their order and repetition do not
// matter.
//
// # Memory
//
// A URL takes 4 bytes, and no more while it has one size in one class: the size is that of the
// window, so the 4 bytes are a set of days. Other URLs have a record of some 25 bytes. Together
// these are 10 bytes a URL of bplogs, and 6 of a log of random names (go test ./integration -run
// DaysMemory -v), besides 64 KB for what was folded last.
package days

import (
	"math/bits"
	"slices"
	"unsafe"

	"dustbuster/operators/window/evidence"
)

// Most is the greatest number of days kept of a URL and class.
const Most = 8

// Store holds the days of URLs. A Store belongs to one goroutine.
type Store struct {
	base   int64    // a day close to all days: that of the first fold
	any    bool     // there is a base
	slots  []uint32 // by number of the URL
	memory arena
	recent *[recents]recent // nil: the store has few URLs
	open   *[opens]open     // by number of the URL; nil: the store has few URLs

	days []evidence.Day // scratch
	data []byte         // scratch
}

// A slot is 0 without days, or a set of days with onlyBit set, or the place of a record. A set of
// days has the newest day in dayBits bits, relative to the base. Below stands a bit for each of
// the setBits days before, from the last.
const (
	onlyBit = 1 << 31
	setBits = 17
	dayBits = 14
	middle  = 1 << (dayBits - 1)
)

// recent is a size of a URL that the store has taken in. It need not be taken in again.
type recent struct {
	size  int64
	url   uint32 // number, plus one
	day   int16  // relative to the base
	class uint8
}

// Of the sizes of bplogs, 72 % are found in 1,024 places, and 66 % in 256. The 16 KB are little beside
// recentsFrom URLs.
const (
	recents     = 1024
	recentOfURL = 8 // places of a URL, which other URLs may have too
	recentsFrom = 1024
)

// known reports whether the store has lately taken in a size, and remembers the size.
func (s *Store) known(id uint32, day int64, sizes evidence.Span) bool {
	if s.recent == nil {
		if len(s.slots) < recentsFrom {
			return false
		}
		s.recent, s.open = new([recents]recent), new([opens]open)
	}
	now := recent{sizes.Min, id + 1, int16(day - s.base), sizes.Class}
	if int64(now.day) != day-s.base {
		return false
	}
	r := &s.places(id)[uint64(sizes.Min)*0xd1b54a32d192ed03>>61]
	was := *r
	*r = now
	return was == now
}

// places returns the places of a URL's sizes.
func (s *Store) places(id uint32) *[recentOfURL]recent {
	return (*[recentOfURL]recent)(s.recent[id*0x9e3779b1>>25*recentOfURL:])
}

// Fold adds the sizes of a URL on a day. had is the only size of the URL so far, in its class. It
// does not matter if the URL has no size, or several sizes or classes.
func (s *Store) Fold(id uint32, day int64, sizes, had evidence.Span) {
	if sizes.Min == sizes.Max && s.known(id, day, sizes) {
		return
	}
	slot := s.slot(id, day)
	only := *slot&onlyBit != 0
	switch {
	case *slot == 0 && sizes.Min == sizes.Max || only && sizes == had:
		if next, ok := s.withDay(*slot, day); ok {
			*slot = next
			return
		}
	case *slot != 0 && !only && s.open != nil:
		s.enter(id, evidence.DayOf(day, sizes))
		return
	case *slot != 0 && !only && sizes.Min == sizes.Max && covers(s.memory.at(*slot), day-s.base, sizes):
		return
	}
	s.join(id, had, evidence.DayOf(day, sizes))
}

// open is what the last folds say of a day of a URL with a record. It is joined to the record when
// another day needs the place: to write the record takes ten times as long as to join two days.
type open struct {
	url uint32 // number, plus one; 0: free
	day evidence.Day
}

// Half of the lines of bplogs write 12,500 days without open days, 11,500 with 128 places, 5,700 with
// 512 and 4,900 with 1,024.
const opens = 512 // 48 KB

// enter joins a day of a URL with a record to its open day.
func (s *Store) enter(id uint32, d evidence.Day) {
	o := &s.open[id%opens]
	switch {
	case o.url != id+1 || o.day.Number != d.Number || o.day.Class != d.Class:
		s.write(o)
		*o = open{id + 1, d}
	case d.Min != d.Max || !o.day.Covers(d.Min):
		o.day.Join(&d)
	}
}

// write writes an open day to the record of its URL.
func (s *Store) write(o *open) {
	if o.url == 0 {
		return
	}
	id, d := o.url-1, &o.day
	o.url = 0
	if d.Min != d.Max || !covers(s.memory.at(s.slots[id]), d.Number-s.base, evidence.Span{Class: d.Class, Min: d.Min, Max: d.Max}) {
		s.join(id, evidence.Span{}, *d)
	}
}

// Settle writes all open days.
func (s *Store) Settle() {
	if s.open != nil {
		for i := range s.open {
			s.write(&s.open[i])
		}
	}
}

// slot returns the slot of a URL that gets a day.
func (s *Store) slot(id uint32, day int64) *uint32 {
	if n := int(id) + 1; n > len(s.slots) {
		if n > cap(s.slots) { // by an eighth, since a slot is half of what a URL takes
			s.slots = append(make([]uint32, 0, n+n/8), s.slots...)
		}
		s.slots = s.slots[:n]
	}
	if !s.any {
		s.base, s.any = day, true
	}
	return &s.slots[id]
}

// join writes the record of a URL with further days.
func (s *Store) join(id uint32, had evidence.Span, more ...evidence.Day) {
	slot := &s.slots[id]
	s.days = s.appendDays(s.days[:0], *slot, had)
	for i := range more {
		s.insert(&more[i])
	}
	s.data = encode(s.data[:0], s.days, s.base)
	if *slot&onlyBit != 0 {
		*slot = 0
	}
	*slot = s.memory.put(*slot, s.data)
	if s.memory.isFull() {
		s.compact()
	}
}

// Join adds the days that another store has of a URL, by its number there. had and only are the only
// sizes of the URL so far, as for Fold, here and there.
func (s *Store) Join(id uint32, had evidence.Span, from *Store, number uint32, only evidence.Span) {
	if from.open != nil && from.open[number%opens].url == number+1 {
		from.write(&from.open[number%opens])
	}
	from.days = from.Append(from.days[:0], number, only)
	if len(from.days) == 0 {
		return
	}
	switch slot := s.slot(id, from.days[0].Number); {
	case from.slots[number]&onlyBit == 0:
		s.join(id, had, from.days...)
		return
	case *slot == 0:
		had = only
	}
	for _, d := range from.days {
		s.Fold(id, d.Number, only, had)
	}
}

// compact moves all records into new memory.
func (s *Store) compact() {
	old := s.memory
	s.memory = arena{}
	for id, slot := range s.slots {
		if slot != 0 && slot&onlyBit == 0 {
			s.slots[id] = s.memory.copyFrom(&old, slot)
		}
	}
}

// withDay returns a set of days with one more, if a slot can hold it.
func (s *Store) withDay(slot uint32, day int64) (uint32, bool) {
	at := day - s.base + middle
	if at < 0 || at >= 1<<dayBits {
		return 0, false
	}
	if slot == 0 {
		return onlyBit | uint32(at)<<setBits, true
	}
	newest, set := newestOf(slot), setOf(slot)
	switch gap := newest - at; {
	case gap < -setBits:
		return 0, false
	case gap < 0:
		newest, set = at, set<<-gap|1
	case gap > 2*setBits:
		return slot, bits.OnesCount64(set) == Most
	default:
		set |= 1 << gap
	}
	for bits.OnesCount64(set) > Most {
		set &^= 1 << (bits.Len64(set) - 1)
	}
	return onlyBit | uint32(newest)<<setBits | uint32(set>>1), bits.Len64(set) <= 1+setBits
}

// newestOf returns the newest day of a set, relative to the base.
func newestOf(slot uint32) int64 { return int64(slot &^ onlyBit >> setBits) }

// setOf returns a set of days, in which bit i stands for the i-th day before the newest.
func setOf(slot uint32) uint64 { return uint64(slot&(1<<setBits-1))<<1 | 1 }

// Append appends the days of a URL, by class and the newest first, after Settle. only is the only size
// of the URL, if it has one size in one class.
func (s *Store) Append(to []evidence.Day, id uint32, only evidence.Span) []evidence.Day {
	if int(id) >= len(s.slots) {
		return to
	}
	return s.appendDays(to, s.slots[id], only)
}

func (s *Store) appendDays(to []evidence.Day, slot uint32, only evidence.Span) []evidence.Day {
	switch {
	case slot == 0:
		return to
	case slot&onlyBit == 0:
		return decode(to, s.memory.at(slot), s.base)
	}
	for set := setOf(slot); set != 0; set &= set - 1 {
		day := s.base - middle + newestOf(slot) - int64(bits.TrailingZeros64(set))
		to = append(to, evidence.DayOf(day, only))
	}
	return to
}

// insert joins a day with those of its class and number, and drops what is too old. Nearly always the day is one of the
// first.
func (s *Store) insert(d *evidence.Day) {
	first := 0
	for first < len(s.days) && s.days[first].Class < d.Class {
		first++
	}
	at := first
	for at < len(s.days) && s.days[at].Class == d.Class && s.days[at].Number > d.Number {
		at++
	}
	if at < len(s.days) && s.days[at].Class == d.Class && s.days[at].Number == d.Number {
		s.days[at].Join(d)
		return
	}
	s.days = slices.Insert(s.days, at, *d)
	if oldest := first + Most; oldest < len(s.days) && s.days[oldest].Class == d.Class {
		s.days = slices.Delete(s.days, oldest, oldest+1)
	}
}

// Release forgets the days of a URL that has left the window.
func (s *Store) Release(id uint32) {
	if int(id) >= len(s.slots) {
		return
	}
	if slot := s.slots[id]; slot != 0 && slot&onlyBit == 0 {
		s.memory.release(slot)
	}
	s.slots[id] = 0
	if s.recent != nil {
		for i, r := range s.places(id) {
			if r.url == id+1 { // which may become the number of another URL
				s.places(id)[i] = recent{}
			}
		}
		if o := &s.open[id%opens]; o.url == id+1 {
			o.url = 0
		}
	}
}

// Clone returns a copy to be read, by any goroutine. O(bytes).
func (s *Store) Clone() *Store {
	s.Settle()
	c := *s
	c.recent, c.open = nil, nil
	c.slots, c.memory, c.days, c.data = slices.Clone(s.slots), s.memory.clone(), nil, nil
	return &c
}

// Bytes returns the memory of the store.
func (s *Store) Bytes() int64 {
	n := int64(cap(s.slots))*int64(unsafe.Sizeof(s.slots[0])) + s.memory.size
	if s.recent != nil {
		n += int64(unsafe.Sizeof(*s.recent) + unsafe.Sizeof(*s.open))
	}
	return n
}
