package fetch

import (
	"slices"
	"strings"
)

// DefaultActions are the words that make a URL one that is never fetched. They
// are those of things done by a mere GET in applications that should know
// better; views such as edit and login are not among them.
func DefaultActions() []string {
	return []string{
		"add", "approve", "buy", "cancel", "checkout", "confirm", "delete", "del", "destroy", "erase",
		"log-off", "logoff", "log-out", "logout", "purchase", "purge", "remove", "reset", "revert", "rollback",
		"sign-off", "signoff", "sign-out", "signout", "subscribe", "trash", "unsubscribe", "unwatch", "vote",
	}
}

// actions are words cut into tokens: "log-out" is two, and matches where one
// follows the other.
type actions [][]string

func newActions(list []string) actions {
	var a actions
	for _, word := range list {
		if tokens := words(word); len(tokens) > 0 {
			a = append(a, tokens)
		}
	}
	return a
}

// in tells whether a path and query hold one of the words, percent-encoded or
// not.
func (a actions) in(path string) bool {
	return a.among(words(path)) || strings.Contains(path, "%") && a.among(words(decode(path)))
}

func (a actions) among(tokens []string) bool {
	for i := range tokens {
		for _, word := range a {
			if len(word) <= len(tokens)-i && slices.Equal(word, tokens[i:i+len(word)]) {
				return true
			}
		}
	}
	return false
}

// words are the maximal alphanumeric runs of a string in lower case, and the
// parts of those that are written in camelCase: addToCart is an add.
func words(s string) []string {
	var tokens []string
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && isAlnum(s[end]) {
			end++
		}
		if end == i {
			i++
			continue
		}
		tokens = append(tokens, strings.ToLower(s[i:end]))
		tokens = appendHumps(tokens, s[i:end])
		i = end
	}
	return tokens
}

func appendHumps(tokens []string, run string) []string {
	start := 0
	for i := 1; i < len(run); i++ {
		if isUpper(run[i]) && !isUpper(run[i-1]) {
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
func isAlnum(c byte) bool {
	return isUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// decode undoes percent-encoding where it is one.
func decode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c, ok := octet(s[i:]); ok {
			b.WriteByte(c)
			i += 2
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// octet is the byte that a string begins with, percent-encoded.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	high, ok1 := hex(s[1])
	low, ok2 := hex(s[2])
	return high<<4 | low, ok1 && ok2
}

func hex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
