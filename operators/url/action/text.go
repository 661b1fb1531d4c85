package action

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// words returns the runs of letters and digits of a text in lower case, and the parts of
// runs in camelCase: addToCart contains the word add.
func words(text string) (tokens []string) {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		tokens = append(tokens, strings.ToLower(run))
		tokens = appendHumps(tokens, run)
	}
	return tokens
}

// appendHumps splits a run before each capital that follows or precedes a small letter. A
// run that does not split adds nothing.
func appendHumps(tokens []string, run string) []string {
	start := 0
	for i := 1; i < len(run); i++ {
		if isUpper(run[i]) && (!isUpper(run[i-1]) || i+1 < len(run) && isLower(run[i+1])) {
			tokens = append(tokens, strings.ToLower(run[start:i]))
			start = i
		}
	}
	if start > 0 {
		tokens = append(tokens, strings.ToLower(run[start:]))
	}
	return tokens
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// fold undoes all percent-encoding and removes accents. Letters that look alike, and that
// people type for each other, become the same letter.
func fold(text string) string {
	for {
		plain := characters(Decode(text))
		if plain == text {
			break
		}
		text = plain
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r): // accents; marks of direction and joining
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		default:
			b.WriteString(letters.Replace(string(r)))
		}
	}
	return b.String()
}

// letters replaces letters that Unicode normalization leaves alone.
var letters = strings.NewReplacer("ı", "i", "ß", "ss", "ł", "l", "Ł", "L", "ø", "o", "Ø", "O", "ي", "ی", "ك", "ک")

// Decode undoes percent-encoding until nothing is encoded. A decoded byte may complete
// another escape. O(bytes).
func Decode(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		out = append(out, text[i])
		for n := len(out); n >= 3 && out[n-3] == '%' && digit(out[n-2]) >= 0 && digit(out[n-1]) >= 0; n = len(out) {
			out = append(out[:n-3], byte(digit(out[n-2])<<4|digit(out[n-1])))
		}
	}
	return string(out)
}

// digit returns the value of a hexadecimal digit, or -1 for another byte.
func digit(c byte) int { return strings.IndexByte("0123456789abcdef", lower(c)) }

func lower(c byte) byte {
	if isUpper(c) {
		c |= 0x20
	}
	return c
}

// characters makes a text valid UTF-8. An overlong encoding becomes the character that
// careless servers read. Each other invalid byte becomes the character of Latin-1.
func characters(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			r, n = overlong(text[i:])
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// overlong reads a character that is encoded in more bytes than needed, or else the first byte
// as a character.
func overlong(s string) (r rune, size int) {
	lead := s[0]
	switch {
	case lead&0xfe == 0xc0:
		r, size = rune(lead&0x1f), 2
	case lead == 0xe0:
		size = 3
	case lead == 0xf0:
		size = 4
	}
	if size == 0 || len(s) < size {
		return rune(lead), 1
	}
	for _, c := range []byte(s[1:size]) {
		if c&0xc0 != 0x80 {
			return rune(lead), 1
		}
		r = r<<6 | rune(c&0x3f)
	}
	return r, size
}

// isSpaceless reports whether a word belongs to a script without spaces between words.
func isSpaceless(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}
