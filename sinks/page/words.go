package page

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dustbuster/sinks/text"
)

// Visible returns a text in which every character stands for itself only. Control characters,
// invalid UTF-8, and the invisible characters that turn, join or hide text are written as in Go.
// Line ends become visible as well.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case shown(c):
			b.WriteRune(c)
		case c < 0x80:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
		s = s[n:]
	}
	return b.String()
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// shown reports whether a character is seen and does nothing to its neighbours. Marks are
// seen, on the letter before.
func shown(c rune) bool {
	return c == ' ' || unicode.IsGraphic(c) && !unicode.Is(unicode.Zs, c) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c)
}

// Cut returns a text of at most about limit characters: of a longer text the beginning, the number
// of characters left out, and the end. Limit is at least 2.
func Cut(limit int, s string) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	head := at(s, limit-limit/3)
	tail := at(s, n-limit/3)
	return s[:head] + fmt.Sprintf(" … %s more … ", Number(n-limit)) + s[tail:]
}

// Sentences returns a text of at most about limit characters: of a longer text the first sentences, whole. A first sentence
// that is longer is cut.
func Sentences(limit int, s string) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	if end := strings.LastIndex(s[:at(s, limit)], ". "); end > 0 {
		return s[:end+1] + " …"
	}
	return Cut(limit, s)
}

// at returns the place of the character with a number.
func at(s string, number int) int {
	for i := range s {
		if number == 0 {
			return i
		}
		number--
	}
	return len(s)
}

// Moment returns a time, in Unix seconds, as it is shown; "" for 0.
func Moment(at int64) string {
	if at == 0 {
		return ""
	}
	return time.Unix(at, 0).UTC().Format(time.DateTime)
}

// MostText is the length in bytes of the longest text of a file on a page.
const MostText = 32 << 10

// TextLines returns the lines of a file as they are shown; none if it is too long.
func TextLines(file string) []string {
	if len(file) > MostText {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(file, "\t", "    "), "\n"), "\n") // tabs indent
}

// Number formats a number with commas between thousands.
func Number[N int | int64](n N) string {
	return text.Number(int(n))
}

// Percent formats a share. Only 0 is shown as 0 %, and only the whole as 100 %.
func Percent(share float64) string {
	switch p := 100 * share; {
	case p <= 0:
		return "0 %"
	case p < .1:
		return "under 0.1 %"
	case p < 9.95:
		return fmt.Sprintf("%.1f %%", p)
	case p > 99 && p < 100:
		return "over 99 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count formats a number of things: "1 rule", "2 rules".
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Number(n) + " " + thing + "s"
}

// LineWords says in words what became of lines of a log, by the names of the status and of
// --stats.
var LineWords = map[string]string{
	"all": "all lines that were read", "admitted": "hits that count", "reread": "read once more, since their format was known only then",
	"blank": "blank lines", "directive": "lines that say how later lines are read", "oversized": "longer than 64 KiB",
	"unknown_format": "in a file of no known format", "malformed": "not in the format of their file", "wrapper": "lines of a wrapper itself",
	"other": "of other programs that write into the log", "method": "no GET", "status": "no whole page: redirects, errors, parts",
	"target": "no path", "control_bytes": "control characters in the URL", "host": "no valid host", "ignored_client": "of clients that are ignored",
	"own_validator": "requests of dustbuster itself", "too_many_bytes": "URLs over 2,048 bytes", "too_many_tokens": "URLs of too many parts", "other_host": "of hosts that do not count",
}
