package weblog

import "bytes"

// dateParts collects a time that a format writes in pieces (Apache's %{strftime}t), each
// a separate field.
type dateParts struct {
	year, month, day, hour, minute, second int
	offset                                 int64
}

func (d *dateParts) store(letter byte, b []byte) bool {
	switch letter {
	case 'b':
		if len(b) < 3 {
			return false
		}
		d.month = monthOf(b)
		return d.month > 0
	case 'z':
		var ok bool
		d.offset, ok = zone(b)
		return ok
	case 'e':
		b = bytes.TrimPrefix(b, space)
	}
	value, ok := number(b)
	n := int(value)
	switch letter {
	case 'Y':
		d.year = n
	case 'y':
		d.year = 1900 + n
		if n < 69 { // POSIX: 69 to 99 are the 1900s
			d.year += 100
		}
	case 'm':
		d.month = n
	case 'd', 'e':
		d.day = n
	case 'H':
		d.hour = n
	case 'M':
		d.minute = n
	case 'S':
		d.second = n
	}
	return ok
}

// unix returns the time of the pieces in unix seconds, or 0 if there is no date.
func (d *dateParts) unix() (int64, bool) {
	if d.year == 0 && d.month == 0 && d.day == 0 {
		return 0, true
	}
	days, ok := civilDays(d.year, d.month, d.day)
	seconds, ok2 := daySeconds(d.hour, d.minute, d.second)
	return days*secondsPerDay + seconds - d.offset, ok && ok2
}
