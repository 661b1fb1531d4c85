package waste

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
)

// MostDays is the number of days that a Curve keeps.
const MostDays = 400

// Day is what crawlers asked for on a day in UTC. Of a Day the URLs that were asked for on that day
// count, each once, with their smallest sizes in the window.
type Day struct {
	Date       int64  // days since 1970-01-01
	Crawlers   Figure // of all named crawlers together
	By         Parts  // the duplicates of each named crawler; none unless valid rules were applied
	Robots     Figure // of other robots
	Valid      int    // valid rules that were applied
	Likely     int    // likely rules that were applied, as there were no valid rules
	Sample     bool   // some URLs were left out
	Came, Left int    // rules that came into the published list on the day, and that left it
}

// Add adds the day of another site. It leaves By as it is.
func (d *Day) Add(e Day) {
	d.Crawlers.Add(e.Crawlers)
	d.Robots.Add(e.Robots)
	d.Valid, d.Likely, d.Sample = d.Valid+e.Valid, d.Likely+e.Likely, d.Sample || e.Sample
	d.Came, d.Left = d.Came+e.Came, d.Left+e.Left
}

// asked reports whether a crawler or another robot asked for a URL.
func (d *Day) asked() bool { return d.Crawlers.Fetched+d.Robots.Fetched > 0 }

// A Curve is days of a site, at most MostDays, the newest first. The zero Curve has none. A Curve
// is immutable. It is packed: a day takes some 15 bytes, and some 5 for each crawler of By.
type Curve struct{ packed string }

// Bytes returns the memory of the curve, with its place in a map.
func (c Curve) Bytes() int64 { return 64 + int64(len(c.packed)) }

// Newest returns the newest days of the curve, so many at most. O(days).
func (c Curve) Newest(most int) Curve {
	all := slices.Collect(c.All())
	return pack(all[:min(most, len(all))])
}

// All yields the days, the newest first.
func (c Curve) All() iter.Seq[Day] {
	return func(yield func(Day) bool) {
		r := reader{rest: []byte(c.packed), whole: c.packed}
		for len(r.rest) > 0 {
			if d := r.day(); r.err != nil || !yield(d) {
				return
			}
		}
	}
}

// With returns the curve with further days, each in the place of the day of its date. changed are
// those that differ from what the curve had. Beyond MostDays the oldest days go. O(days).
func (c Curve) With(days ...Day) (next Curve, changed []Day) {
	return c.with(days, func(*Day, Day) bool { return true })
}

// Measured is With for days that a look at the window has measured. They keep their changes of the
// published list. Days on which no robot asked for anything are left out, unless the curve has them.
func (c Curve) Measured(days []Day) (next Curve, changed []Day) {
	return c.with(days, func(d *Day, had Day) bool {
		d.Came, d.Left = had.Came, had.Left
		return d.asked() || had != Day{}
	})
}

// Marked is With for a change of the published list on a date.
func (c Curve) Marked(date int64, came, left int) (next Curve, changed []Day) {
	return c.with([]Day{{Date: date}}, func(d *Day, had Day) bool {
		*d = had
		d.Date, d.Came, d.Left = date, had.Came+came, had.Left+left
		return true
	})
}

// with is With for those of the days of which join returns true. join gets the day that the curve has
// of the date, or the zero Day.
func (c Curve) with(days []Day, join func(d *Day, had Day) bool) (next Curve, changed []Day) {
	all := slices.Collect(c.All())
	for _, d := range days {
		at, known := slices.BinarySearchFunc(all, d.Date, func(e Day, date int64) int { return cmp.Compare(date, e.Date) })
		var had Day
		if known {
			had = all[at]
		}
		if !join(&d, had) || known && had == d || at == MostDays {
			continue
		}
		if !known {
			all = slices.Insert(all, at, d)[:min(len(all)+1, MostDays)]
		}
		all[at] = d
		changed = append(changed, d)
	}
	if changed == nil {
		return c, nil
	}
	return pack(all), changed
}

// Sum returns the sums of several curves by day, of so many dates up to the newest that is not after
// latest. The newest comes first. O(days of these dates).
func Sum(curves iter.Seq[Curve], latest int64, dates int) (days []Day) {
	newest := int64(math.MinInt64)
	for c := range curves {
		for d := range c.All() {
			if d.Date <= latest {
				newest = max(newest, d.Date)
				break
			}
		}
	}
	sums, some := make([]Day, dates), make([]bool, dates)
	for c := range curves {
		for d := range c.All() {
			if d.Date > newest {
				continue
			}
			ago := uint64(newest - d.Date) // which an int64 may not hold
			if ago >= uint64(dates) {
				break
			}
			sums[ago].Add(d)
			some[ago] = true
		}
	}
	for ago := range sums {
		if some[ago] {
			sums[ago].Date = newest - int64(ago)
			days = append(days, sums[ago])
		}
	}
	return days
}

// The flags of a packed day, from the lowest bit.
const (
	isSample = 1 << iota
	hasRules
	hasMarks
	hasCrawlers
	hasRobots
	hasParts
)

// pack packs days, the newest first. Each has the flags, the days to the one before it (of the first:
// the date), and what the flags name.
func pack(days []Day) Curve {
	var b []byte
	for i := range days {
		d := &days[i]
		var flags byte
		for n, has := range [...]bool{d.Sample, d.Valid+d.Likely > 0, d.Came+d.Left > 0, d.Crawlers.Fetched > 0, d.Robots.Fetched > 0, d.By != Parts{}} {
			if has {
				flags |= 1 << n
			}
		}
		b = append(b, flags)
		if i == 0 {
			b = binary.AppendVarint(b, d.Date)
		} else {
			b = binary.AppendUvarint(b, uint64(days[i-1].Date-d.Date))
		}
		numbers := func(flag byte, all ...int64) {
			for _, n := range all {
				if flags&flag != 0 {
					b = binary.AppendUvarint(b, uint64(n))
				}
			}
		}
		numbers(hasRules, int64(d.Valid), int64(d.Likely))
		numbers(hasMarks, int64(d.Came), int64(d.Left))
		numbers(hasCrawlers, int64(d.Crawlers.Fetched), int64(d.Crawlers.Waste()), d.Crawlers.Bytes)
		numbers(hasRobots, int64(d.Robots.Fetched), int64(d.Robots.Waste()), d.Robots.Bytes)
		if flags&hasParts != 0 {
			b = append(binary.AppendUvarint(b, uint64(len(d.By.packed))), d.By.packed...)
		}
	}
	return Curve{string(b)}
}

// reader reads packed days.
type reader struct {
	rest  []byte
	whole string // what ends with rest, for parts without a copy; "": they are copied
	some  bool   // there was a day
	date  int64  // of the last day
	err   error
}

var errPacked = errors.New("not a packed day")

func (r *reader) day() (d Day) {
	flags := r.rest[0]
	r.rest = r.rest[1:]
	if d.Date = r.next(); !r.some {
		d.Date = int64(uint64(d.Date)>>1) ^ -(d.Date & 1)
	} else if gap := d.Date; gap <= 0 || r.date < math.MinInt64+gap {
		r.err = errPacked
	} else {
		d.Date = r.date - gap
	}
	r.date, r.some = d.Date, true
	d.Sample = flags&isSample != 0
	numbers := func(flag byte, all ...*int) {
		for _, n := range all {
			if flags&flag != 0 {
				*n = r.number()
			}
		}
	}
	numbers(hasRules, &d.Valid, &d.Likely)
	numbers(hasMarks, &d.Came, &d.Left)
	figure := func(flag byte, f *Figure) {
		if flags&flag == 0 {
			return
		}
		f.Fetched = r.number()
		f.Pages = f.Fetched - r.number()
		if f.Bytes = r.next(); f.Fetched == 0 || f.Pages < 0 || f.Bytes < 0 {
			r.err = errPacked
		}
	}
	figure(hasCrawlers, &d.Crawlers)
	figure(hasRobots, &d.Robots)
	if flags&hasParts != 0 {
		d.By = r.parts()
	}
	if flags >= hasParts<<1 {
		r.err = errPacked
	}
	return d
}

// number returns the next number, which is of URLs or rules.
func (r *reader) number() int {
	n := r.next()
	if n < 0 || n > math.MaxInt32 {
		r.err = errPacked
		return 0
	}
	return int(n)
}

func (r *reader) next() int64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.err, r.rest = errPacked, nil
		return 0
	}
	r.rest = r.rest[size:]
	return int64(n)
}

// version is of the binary form. Version 1 has no parts.
const version = 2

// Encode returns days in binary form. They are in any order, and each date is there once.
func Encode(days []Day) []byte {
	days = slices.Clone(days)
	slices.SortFunc(days, func(d, e Day) int { return cmp.Compare(e.Date, d.Date) })
	return append([]byte{version}, pack(days).packed...)
}

// Decode is the inverse of Encode. It returns the days with the newest first.
func Decode(b []byte) (days []Day, err error) {
	switch {
	case len(b) == 0:
		return nil, errors.New("read waste by day: no version")
	case b[0] == 0:
		return nil, errors.New("read waste by day: version 0")
	case b[0] > version:
		return nil, fmt.Errorf("read waste by day: a newer version of this program wrote version %d, this program knows %d: run the newer version", b[0], version)
	}
	r := reader{rest: b[1:]}
	for len(r.rest) > 0 {
		days = append(days, r.day())
		if r.err != nil {
			return nil, fmt.Errorf("read waste by day: %w", r.err)
		}
	}
	return days, nil
}
