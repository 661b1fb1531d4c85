package secret

import "strings"

// Names of parameters, by their last words.
var (
	passwords = []string{"password", "passwd", "passwort", "passphrase", "pwd"}
	phones    = []string{"phone", "telephone", "phonenumber", "mobile", "msisdn", "tel", "telefon", "cellphone", "fax"}
)

// named reports whether the name of a parameter makes the value a secret: any password, and
// a telephone number.
func named(name, value string) bool {
	return name != "" && (phoneDigits(value) && endsIn(name, phones) || endsIn(name, passwords))
}

// endsIn reports whether the last word of a name is one of a list: user_phone and
// userPhone end in phone, hotel does not end in tel.
func endsIn(name string, words []string) bool {
	name = strings.TrimRight(name, "[]")
	for _, w := range words {
		at := len(name) - len(w)
		if at < 0 || !strings.EqualFold(name[at:], w) {
			continue
		}
		if at == 0 || kind(name[at-1]) != letter || name[at] < 'a' && name[at-1] >= 'a' {
			return true
		}
	}
	return false
}

// Digits of telephone numbers. E.164 allows 15.
const (
	leastLocal  = 7
	leastAbroad = 9 // a date has 8
	mostPhone   = 15
)

// phoneDigits reports whether a text consists only of a telephone number.
func phoneDigits(text string) bool {
	n, end := dialled(text)
	return end == len(text) && leastLocal <= n && n <= mostPhone
}

// hasPhone reports whether a text holds a telephone number with its country code: a plus
// at the start, or behind a colon or a comma, and 9 to 15 digits, the first not zero.
func hasPhone(text string) bool {
	for i := 0; i+leastAbroad < len(text); i++ {
		if text[i] != '+' || i > 0 && text[i-1] != ':' && text[i-1] != ',' || text[i+1] < '1' || text[i+1] > '9' {
			continue
		}
		n, end := dialled(text[i+1:])
		if end += i + 1; leastAbroad <= n && n <= mostPhone && (end == len(text) || kind(text[end]) == other) {
			return true
		}
	}
	return false
}

// dialled returns the number of digits at the beginning of a text, and the offset where the
// text continues. Characters that people write between the digits of a telephone number
// belong to the number.
func dialled(text string) (digits, end int) {
	for end < len(text) && digits <= mostPhone && end < 3*mostPhone {
		switch {
		case kind(text[end]) == digit:
			digits++
		case strings.IndexByte(" +.-()", text[end]) < 0:
			return digits, end
		}
		end++
	}
	return digits, end
}
