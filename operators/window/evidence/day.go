package evidence

import (
	"cmp"
	"slices"
)

// Day is what one day, or one pane of a window that has panes, says of a page's sizes in one
// class. Join is a fold: idempotent, commutative and associative.
type Day struct {
	Number   int64 // days since 1970 in UTC, or the number of the pane
	Class    uint8
	Full     bool // more sizes were seen than are kept
	Min, Max int64

	sizes [KeptSizes]int64 // ascending
	kept  uint8
}

// KeptSizes is the greatest number of sizes kept of a day: those of the smallest hashes.
const KeptSizes = 4

// SecondsOfDay is the length of a day.
const SecondsOfDay = 24 * 60 * 60

// DayOf returns a day with the two ends of a span of sizes.
func DayOf(number int64, s Span) Day {
	if s.Min == s.Max {
		return NewDay(number, s.Class, false, s.Min, s.Max, []int64{s.Min})
	}
	return NewDay(number, s.Class, false, s.Min, s.Max, []int64{s.Min, s.Max})
}

// PaneDay returns a pane as a day: only the ends of its sizes are known.
func PaneDay(pane int64, s Span) Day {
	d := DayOf(pane, s)
	d.Full = s.Min != s.Max
	return d
}

// NewDay returns the day of at most KeptSizes ascending sizes, which lie in [least, most].
func NewDay(number int64, class uint8, full bool, least, most int64, sizes []int64) Day {
	d := Day{Number: number, Class: class, Full: full, Min: least, Max: most}
	d.kept = uint8(copy(d.sizes[:], sizes))
	return d
}

// Sizes returns the kept sizes in ascending order. They are valid until the next Join.
func (d *Day) Sizes() []int64 { return d.sizes[:d.kept] }

// Compare is the order of the days of one page: by class, the newest first.
func (d Day) Compare(e Day) int {
	return cmp.Or(cmp.Compare(d.Class, e.Class), cmp.Compare(e.Number, d.Number))
}

// Join adds what another fold of the same day and class says.
func (d *Day) Join(f *Day) {
	d.Min, d.Max = min(d.Min, f.Min), max(d.Max, f.Max)
	all := append(make([]int64, 0, 2*KeptSizes), d.Sizes()...)
	all = append(all, f.Sizes()...)
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(hashSize(a), hashSize(b)) })
	all = slices.Compact(all)
	d.Full = d.Full || f.Full || len(all) > KeptSizes
	all = all[:min(len(all), KeptSizes)]
	slices.Sort(all)
	d.sizes = [KeptSizes]int64{}
	d.kept = uint8(copy(d.sizes[:], all))
}

// Covers reports whether Join with a day of one size would change nothing.
func (d *Day) Covers(size int64) bool {
	if slices.Contains(d.Sizes(), size) {
		return true
	}
	if !d.Full || size < d.Min || size > d.Max || d.kept < KeptSizes {
		return false
	}
	hash := hashSize(size)
	for _, kept := range d.Sizes() {
		if hashSize(kept) > hash {
			return false
		}
	}
	return true
}

// hashSize is a keyed bijection, so different sizes have different hashes. The key is fixed: the
// sizes kept depend only on those seen.
func hashSize(size int64) uint64 {
	const key = 0x6461797364617973
	x := uint64(size) ^ key // then the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
