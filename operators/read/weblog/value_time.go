package weblog

import "bytes"

// clock parses times. It remembers the days of the last date in common form, since thousands of
// lines share one. Comparing 11 bytes then replaces computing a calendar.
type clock struct {
	date [dateLen]byte // as logged, "02/Jan/2006"
	days int64

	minute [minuteLen]byte             // of the last time of readUsual, up to the seconds
	zone   [usualTimeLen - zoneAt]byte // and what follows the seconds
	start  int64                       // unix seconds of the minute
}

const (
	dateLen       = len("02/Jan/2006")
	minuteLen     = len("02/Jan/2006:15:04:")
	zoneAt        = len("02/Jan/2006:15:04:05")
	usualTimeLen  = len("02/Jan/2006:15:04:05 -0700")
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
		return c.readCommon(b)
	case len(b) >= len("2006-01-02T15:04:05") && (b[4] == '-' || b[4] == '/'):
		return readISO(b)
	}
	return readEpoch(b)
}

func (c *clock) readCommon(b []byte) (int64, bool) {
	if string(c.date[:]) != string(b[:dateLen]) && !c.learn(b[:dateLen]) {
		return 0, false
	}
	return readClock(b[dateLen:], c.days)
}

// readUsual is read for a time of usualTimeLen bytes. It remembers the last minute: comparing its
// bytes replaces reading all numbers but the seconds.
func (c *clock) readUsual(b []byte) (int64, bool) {
	second := two(b, minuteLen)
	if string(c.minute[:]) == string(b[:minuteLen]) && string(c.zone[:]) == string(b[zoneAt:usualTimeLen]) && uint(second) < 60 {
		return c.start + int64(second), true
	}
	time, ok := c.read(b)
	if ok && b[2] == '/' && b[zoneAt] == ' ' && uint(second) < 60 {
		copy(c.minute[:], b)
		copy(c.zone[:], b[zoneAt:])
		c.start = time - int64(second)
	}
	return time, ok
}

// learn computes the days of a date and remembers both.
func (c *clock) learn(b []byte) bool {
	day, month, year := two(b, 0), month(b[3:6]), four(b, 7)
	days, ok := civilDays(year, month, day)
	if !ok || b[6] != '/' {
		return false
	}
	c.days = days
	copy(c.date[:], b)
	return true
}

func readISO(b []byte) (int64, bool) {
	days, ok := civilDays(four(b, 0), two(b, 5), two(b, 8))
	if !ok || b[7] != b[4] {
		return 0, false
	}
	return readClock(b[10:], days)
}

// readClock reads the text after a date: one separator, hh:mm:ss, perhaps a fraction,
// perhaps a zone.
func readClock(b []byte, days int64) (int64, bool) {
	if len(b) < len(":15:04:05") || b[3] != ':' || b[6] != ':' {
		return 0, false
	}
	seconds, ok := daySeconds(two(b, 1), two(b, 4), two(b, 7))
	if !ok {
		return 0, false
	}
	b = b[9:]
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		b = b[1+digits(b[1:]):]
	}
	offset, ok := zone(b)
	return days*secondsPerDay + seconds - offset, ok
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
