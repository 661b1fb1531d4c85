package page

import (
	"unicode"
	"unicode/utf8"

	"dustbuster/operators/rule/dust"
)

// Common returns the lengths of what two texts have in common at the beginning and at the end, both
// between words.
func Common(u, v string) (start, end int) {
	least := min(len(u), len(v))
	for start < least && u[start] == v[start] {
		start++
	}
	for start > 0 && (inWord(u, start) || inWord(v, start)) {
		start--
	}
	for end < least-start && u[len(u)-1-end] == v[len(v)-1-end] {
		end++
	}
	for end > 0 && (inWord(u, len(u)-end) || inWord(v, len(v)-end)) {
		end--
	}
	return start, end
}

// inWord reports whether a place in a text is within a token, or between two letters beyond ASCII.
func inWord(s string, at int) bool {
	if at == 0 || at == len(s) {
		return false
	}
	if s[at-1] < utf8.RuneSelf && s[at] < utf8.RuneSelf {
		return !dust.Boundary(s, at)
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return !utf8.RuneStart(s[at]) || isWord(before) && isWord(after)
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) }
