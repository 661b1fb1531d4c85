package secret

import (
	_ "embed"
	"strings"
)

//go:embed names.txt
var nameFile string

// names holds a test of the value for each name of names.txt.
var names = func() map[string]func(value string) bool {
	tests := map[string]func(value string) bool{
		"Passwords": func(value string) bool { return strings.Trim(value, "*") != "" },
		"Codes":     isCode,
		"Numbers":   func(value string) bool { return countDigits(value) >= 3 },
		"Births":    func(value string) bool { return countDigits(value) >= 4 },
		"Phones":    phoneDigits,
		"Streets":   isStreet,
		"Hosts":     isHost,
	}
	all := map[string]func(string) bool{}
	for line := range strings.Lines(nameFile) {
		if class, list, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			for name := range strings.FieldsSeq(list) {
				all[name] = tests[class]
			}
		}
	}
	return all
}()

// mostWords is the number of words of the longest name in names.txt.
const mostWords = 4

// named reports whether the name of a parameter makes its value a secret, such as any password,
// or personal data, such as a date of birth.
func named(name, value string) bool {
	return ends(name, func(is func(string) bool) bool { return is(value) })
}

// IsName reports whether a text ends with a name of names.txt, such as a segment of a path that says what
// the next one holds.
func IsName(text string) bool {
	return ends(text, func(func(string) bool) bool { return true })
}

// ends reports whether a name ends with a name of names.txt for whose test holds is true.
func ends(name string, holds func(is func(value string) bool) bool) bool {
	if name == "" {
		return false
	}
	var last [64]byte // the last words of the name, from the end
	at := len(last)
	name = strings.TrimRight(name, "[]0123456789_-")
	for words := 0; name != "" && words < mostWords; words++ {
		from := lastWord(name)
		if at -= len(name) - from; at < 0 {
			return false
		}
		copy(last[at:], strings.ToLower(name[from:]))
		if is := names[string(last[at:])]; is != nil && holds(is) {
			return true
		}
		name = strings.TrimRightFunc(name[:from], func(r rune) bool { return r < 0x80 && kind(byte(r)) != letter })
	}
	return false
}

// lastWord returns where the last word of a name begins: user_phone and userPhone end in
// phone, hotel does not end in tel.
func lastWord(name string) int {
	from := len(name) - 1
	for from > 0 && kind(name[from-1]) == letter && (name[from-1] >= 'a' || name[from] < 'a') && (name[from] >= 'a' || name[from-1] < 'a') {
		from--
	}
	if from > 0 && name[from] >= 'a' && kind(name[from]) == letter && 'A' <= name[from-1] && name[from-1] <= 'Z' {
		from-- // the capital of the word
	}
	return from
}

// isCode reports whether a value may be a code or a key: it has a digit, or letters of both
// cases, and is no list of words.
func isCode(value string) bool {
	return countDigits(value) > 0 || len(value) >= leastShort && strings.ToLower(value) != value && strings.ToUpper(value) != value
}

func countDigits(text string) (n int) {
	for i := range len(text) {
		if kind(text[i]) == digit {
			n++
		}
	}
	return n
}

// isStreet reports whether a value has the shape of a street and a house number.
func isStreet(value string) bool {
	return countDigits(value) > 0 && countDigits(value) < len(value) && strings.ContainsAny(value, " +,.") && strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 || kind(byte(r)) == letter })
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

// dialled returns how many digits a text begins with, and the offset where it continues.
// Characters that people write between the digits of a telephone number belong to it.
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
