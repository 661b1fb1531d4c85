package event

import "fmt"

// timestamp returns Unix seconds as an RFC 3339 time in UTC.
func timestamp(seconds int64) string {
	const day = 24 * 60 * 60
	days := seconds / day
	if seconds%day < 0 {
		days--
	}
	rest := seconds - days*day
	y, m, d := civil(days)
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", y, m, d, rest/3600, rest/60%60, rest%60)
}

// civil returns the Gregorian date of a number of days after 1 January 1970 (Howard
// Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days). Years are
// counted from March, so that a leap day is the last day of its year.
func civil(days int64) (year, month, day int64) {
	days += 719_468 // from 1 March of the year 0
	era := days / 146_097
	if days%146_097 < 0 {
		era--
	}
	ofEra := days - era*146_097
	yearOfEra := (ofEra - ofEra/1460 + ofEra/36_524 - ofEra/146_096) / 365
	ofYear := ofEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	month = (5*ofYear + 2) / 153
	day = ofYear - (153*month+2)/5 + 1
	if month += 3; month > 12 {
		month -= 12
		yearOfEra++
	}
	return yearOfEra + era*400, month, day
}
