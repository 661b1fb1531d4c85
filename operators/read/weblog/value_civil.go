package weblog

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
