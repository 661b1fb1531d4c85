package weblog

import "bytes"

// clock parses times. It remembers the days of the last date, since thousands of lines share one. Comparing 11 bytes
// then replaces computing a calendar.
type clock struct {
	date [commonHour - 1]byte // as logged, "02/Jan/2006" or "2006-01-02T"
	days int64

	minute [commonZone - 2]byte         // of the last time of readCommon, up to the seconds
	zone   [commonLen - commonZone]byte // and what follows the seconds
	start  int64                        // unix seconds of the minute
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

// readCommon is read for a time of commonLen bytes. It remembers the last minute: comparing its bytes replaces reading
// all numbers but the seconds.
func (c *clock) readCommon(b []byte) (int64, bool) {
	second := two(b, len(c.minute))
	if string(c.minute[:]) == string(b[:len(c.minute)]) && string(c.zone[:]) == string(b[commonZone:commonLen]) && uint(second) < 60 {
		return c.start + int64(second), true
	}
	time, ok := c.read(b)
	if ok && b[2] == '/' && b[commonZone] == ' ' && uint(second) < 60 {
		copy(c.minute[:], b)
		copy(c.zone[:], b[commonZone:])
		c.start = time - int64(second)
	}
	return time, ok
}

// readClock reads a date, hh:mm:ss, perhaps a fraction, perhaps a zone. b must hold the seconds.
func (c *clock) readClock(b []byte, hour int) (int64, bool) {
	if string(c.date[:]) != string(b[:len(c.date)]) && !c.learn(b, hour) || b[hour+2] != ':' || b[hour+5] != ':' {
		return 0, false
	}
	seconds, ok := daySeconds(two(b, hour), two(b, hour+3), two(b, hour+6))
	if !ok {
		return 0, false
	}
	b = b[hour+8:]
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		b = b[1+digits(b[1:]):]
	}
	offset, ok := zone(b)
	return c.days*secondsPerDay + seconds - offset, ok
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
