package weblog

import "bytes"

// clock parses times. It remembers the days of the last date, since thousands of lines share one. Comparing 11 bytes
// then replaces computing a calendar.
type clock struct {
	date [commonHour - 1]byte // as logged, "02/Jan/2006" or "2006-01-02T"
	days int64

	minute [commonZone - 2]byte // of the last time, up to the seconds; in the other form one byte less
	zone   [8]byte              // and what follows the seconds and their fraction
	zoned  uint8                // its length
	start  int64                // unix seconds of the minute
}

// Where the hour stands.
const (
	commonHour    = len("02/Jan/2006:")
	isoHour       = len("2006-01-02T")
	commonZone    = len("02/Jan/2006:15:04:05")
	commonLen     = len("02/Jan/2006:15:04:05 -0700")
	secondsPerDay = 86400
)

// read returns the unix seconds of a logged time. The shape determines the form:
//
//	02/Jan/2006:15:04:05 -0700   nginx $time_local, Apache %t
//	2006-01-02T15:04:05-07:00    nginx $time_iso8601; also with / and a space
//	20060102150405               archives
//	1136239445.000               nginx $msec, Apache %{sec}t, %{msec}t, %{usec}t
//
// Seconds may have a fraction. A missing zone is UTC. Brackets around a time are skipped.
// An empty time and "-" are 0.
func (c *clock) read(b []byte) (int64, bool) {
	if n := len(b); n > 1 && b[0] == '[' && b[n-1] == ']' {
		b = b[1 : n-1]
	}
	switch {
	case absent(b):
		return 0, true
	case len(b) >= len("02/Jan/2006:15:04:05") && b[2] == '/':
		return c.readClock(b, commonHour)
	case len(b) >= len("2006-01-02T15:04:05") && (b[4] == '-' || b[4] == '/'):
		return c.readClock(b, isoHour)
	}
	return readEpoch(b)
}

// readCommon is read for a time of commonLen bytes.
func (c *clock) readCommon(b []byte) (int64, bool) {
	second := two(b, len(c.minute))
	const n = commonLen - commonZone
	if string(c.minute[:]) == string(b[:len(c.minute)]) && string(c.zone[:n]) == string(b[commonZone:commonLen]) && int(c.zoned) == n && uint(second) < 60 {
		return c.start + int64(second), true
	}
	return c.read(b)
}

// recall reads a time of the last minute. Comparing its bytes replaces reading all numbers but the seconds.
func (c *clock) recall(b []byte, hour int) (int64, bool) {
	const n = len(c.minute) - commonHour + isoHour // constant lengths need no call
	if hour == commonHour && string(c.minute[:]) != string(b[:len(c.minute)]) || hour == isoHour && string(c.minute[:n]) != string(b[:n]) {
		return 0, false
	}
	second := two(b, hour+len("15:04:"))
	return c.start + int64(second), uint(second) < 60 && string(withoutFraction(b[hour+8:])) == string(c.zone[:c.zoned])
}

// remember keeps a time for recall.
func (c *clock) remember(b []byte, hour int, time int64) {
	second, zone := two(b, hour+len("15:04:")), withoutFraction(b[hour+8:])
	if second < 60 && len(zone) <= len(c.zone) {
		copy(c.minute[:], b[:hour+len("15:04:")])
		c.zoned, c.start = uint8(copy(c.zone[:], zone)), time-int64(second)
	}
}

// withoutFraction skips the fraction of a second.
func withoutFraction(b []byte) []byte {
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		return b[1+digits(b[1:]):]
	}
	return b
}

// readClock reads a date, hh:mm:ss, perhaps a fraction, perhaps a zone. b must hold the seconds.
func (c *clock) readClock(b []byte, hour int) (int64, bool) {
	if time, ok := c.recall(b, hour); ok {
		return time, true
	}
	if string(c.date[:]) != string(b[:len(c.date)]) && !c.learn(b, hour) || b[hour+2] != ':' || b[hour+5] != ':' {
		return 0, false
	}
	seconds, ok := daySeconds(two(b, hour), two(b, hour+3), two(b, hour+6))
	if !ok {
		return 0, false
	}
	offset, ok := zone(withoutFraction(b[hour+8:]))
	time := c.days*secondsPerDay + seconds - offset
	if ok {
		c.remember(b, hour, time)
	}
	return time, ok
}

// learn computes the days of a date and remembers both.
func (c *clock) learn(b []byte, hour int) bool {
	year, month, day, same := four(b, 0), two(b, 5), two(b, 8), b[4] == b[7]
	if hour == commonHour {
		year, month, day, same = four(b, 7), monthOf(b[3:6]), two(b, 0), b[2] == b[6]
	}
	days, ok := civilDays(year, month, day)
	if ok = ok && same; ok {
		c.days = days
		copy(c.date[:], b)
	}
	return ok
}

// zone reads -0700, -07:00, Z or an empty text, with or without a space before, and
// returns seconds east of Greenwich.
func zone(b []byte) (int64, bool) {
	b = bytes.TrimPrefix(b, space)
	if len(b) == 0 || len(b) == 1 && b[0] == 'Z' {
		return 0, true
	}
	at := 3 // of the minutes
	if len(b) == 6 && b[3] == ':' {
		at = 4
	} else if len(b) != 5 {
		return 0, false
	}
	hours, minutes := two(b, 1), two(b, at)
	offset := int64(hours*60+minutes) * 60
	switch {
	case hours < 0 || minutes < 0 || hours > 24 || minutes > 59:
		return 0, false
	case b[0] == '-':
		return -offset, true
	}
	return offset, b[0] == '+'
}

// readEpoch reads seconds, milli-, micro- or nanoseconds since 1970. The magnitude
// determines the unit: seconds reach 12 digits in the year 5138. A number of 14 digits is
// the date of an archive; milliseconds reach 14 digits in 2286.
func readEpoch(b []byte) (int64, bool) {
	n := digits(b)
	if n == len(archiveDate) && n == len(b) {
		return archiveTime(b)
	}
	if n == 0 || n > 19 || n < len(b) && (b[n] != '.' || n+1+digits(b[n+1:]) != len(b)) {
		return 0, false
	}
	keep := n
	if n > 11 {
		keep = n - (n-9)/3*3 // 13 to 10, 16 to 10, 19 to 10
	}
	return number(b[:keep])
}

// monthNames holds the logged names of months, three bytes each, in the C locale.
const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

// monthOf returns 1 to 12 for a name of three letters, or 0 for any other text.
func monthOf(b []byte) int {
	for i := 0; i < len(monthNames); i += 3 {
		if string(b[:3]) == monthNames[i:i+3] {
			return i/3 + 1
		}
	}
	return 0
}

// monthDays holds the length of each month, with 29 days for February.
var monthDays = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// civilDays returns the number of days from 1 January 1970 to a date of the Gregorian
// calendar. Years begin on 1 March, so that the leap day ends a year, in eras of 400
// years, which all have 146,097 days. (Howard Hinnant, "chrono-compatible low-level date
// algorithms", days_from_civil.)
func civilDays(year, month, day int) (int64, bool) {
	if year < 0 || month < 1 || month > 12 || day < 1 || day > monthDays[month] {
		return 0, false
	}
	if month <= 2 {
		year--
		month += 12
	}
	year += 400 // so that years before 0 need no floor division
	era, yearOfEra := year/400, year%400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return int64(era-1)*146097 + int64(dayOfEra) - 719468, true
}

// daySeconds returns the seconds of a time of day. A leap second counts as the first
// second of the next minute, as in POSIX time.
func daySeconds(hour, minute, second int) (int64, bool) {
	ok := hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60
	return int64(hour*3600 + minute*60 + second), ok
}

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
