package days

import (
	"encoding/binary"

	"dustbuster/operators/window/evidence"
)

// A record holds the days of a URL in the order of evidence.Day.Compare:
//
//	record = { group [ class ] day { day } }
//	group  = class plus one 5 bits, days less one 3 bits
//	day    = [ number ] head [ gap ] size { more } [ least most ]
//	head   = gap 5 bits, full 1 bit, sizes less one 2 bits
//
// A class that a group cannot hold follows it. A group of 0 ends the record. The first day of a
// class has a number, relative to the base of all days, as a varint. Other days have a gap: the days between it
// and the day before it in the record, in the head or, from wideGap on, behind it. The first size
// of a day is the difference from that of the day before it, and further sizes are differences
// from the size before. least and most follow if the day is full: how far the range of the sizes
// reaches beyond those kept. So a day seldom takes more than three bytes.
const (
	wideClass = 31
	countBits = 3 // of the days of a group

	wideGap  = 31
	fullFlag = 1 << 2
	gapShift = 3
)

func encode(b []byte, days []evidence.Day, base int64) []byte {
	for len(days) > 0 {
		n := 1
		for n < len(days) && days[n].Class == days[0].Class {
			n++
		}
		b = appendGroup(b, days[0].Class, n)
		b = binary.AppendVarint(b, days[0].Number-base)
		size := int64(0)
		for i := range days[:n] {
			gap := int64(0)
			if i > 0 {
				gap = days[i-1].Number - days[i].Number - 1
			}
			b = appendDay(b, &days[i], gap, size)
			size = days[i].Sizes()[0]
		}
		days = days[n:]
	}
	return b
}

func appendGroup(b []byte, class uint8, days int) []byte {
	wide := class >= wideClass-1
	if wide {
		return append(b, wideClass<<countBits|byte(days-1), class)
	}
	return append(b, (class+1)<<countBits|byte(days-1))
}

func appendDay(b []byte, d *evidence.Day, gap, before int64) []byte {
	sizes := d.Sizes()
	head := byte(min(gap, wideGap))<<gapShift | byte(len(sizes)-1)
	if d.Full {
		head |= fullFlag
	}
	b = append(b, head)
	if gap >= wideGap {
		b = binary.AppendUvarint(b, uint64(gap))
	}
	b = binary.AppendVarint(b, sizes[0]-before)
	for i := 1; i < len(sizes); i++ {
		b = binary.AppendUvarint(b, uint64(sizes[i]-sizes[i-1]))
	}
	if d.Full {
		b = binary.AppendUvarint(b, uint64(sizes[0]-d.Min))
		b = binary.AppendUvarint(b, uint64(d.Max-sizes[len(sizes)-1]))
	}
	return b
}

// decode appends the days of a record.
func decode(to []evidence.Day, record []byte, base int64) []evidence.Day {
	r := reader{record}
	for {
		class, n := r.group()
		if n == 0 {
			return to
		}
		number, size := base+r.varint(), int64(0)
		for i := range n {
			d := r.day(class, &number, i > 0, size)
			size = d.Sizes()[0]
			to = append(to, d)
		}
	}
}

// covers reports whether the first day of a record, nearly always that of the last line, has a
// size already. Other days are left to join.
func covers(record []byte, day int64, s evidence.Span) bool {
	r := reader{record}
	class, _ := r.group()
	number := r.varint()
	if class != s.Class || number != day {
		return false
	}
	d := r.day(class, &number, false, 0)
	return d.Covers(s.Min)
}

type reader struct{ rest []byte }

func (r *reader) byte() byte {
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// group returns the class of the next days, and their number; 0 at the end of the record.
func (r *reader) group() (class uint8, days int) {
	if len(r.rest) == 0 || r.rest[0] == 0 {
		return 0, 0
	}
	head := r.byte()
	class = head>>countBits - 1
	if class == wideClass-1 {
		class = r.byte()
	}
	return class, int(head&(1<<countBits-1)) + 1
}

func (r *reader) varint() int64 {
	x, n := binary.Varint(r.rest)
	r.rest = r.rest[n:]
	return x
}

func (r *reader) uvarint() int64 {
	x, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return int64(x)
}

// day reads a day. number is that of the day before it if there is one, and becomes that of
// the day.
func (r *reader) day(class uint8, number *int64, further bool, before int64) evidence.Day {
	head := r.byte()
	gap := int64(head >> gapShift)
	if gap == wideGap {
		gap = r.uvarint()
	}
	if further {
		*number -= gap + 1
	}
	var sizes [evidence.KeptSizes]int64
	n := int(head&3) + 1
	sizes[0] = before + r.varint()
	for i := 1; i < n; i++ {
		sizes[i] = sizes[i-1] + r.uvarint()
	}
	least, most, full := sizes[0], sizes[n-1], head&fullFlag != 0
	if full {
		least -= r.uvarint()
		most += r.uvarint()
	}
	return evidence.NewDay(*number, class, full, least, most, sizes[:n])
}
