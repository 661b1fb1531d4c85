package rule

import (
	_ "embed"
	"strings"

	"dustbuster/operators/rule/dust"
)

//go:embed unpreferred.txt
var unpreferredFile string

// unpreferred holds the words of unpreferred.txt.
var unpreferred = func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(unpreferredFile) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			words[line] = true
		}
	}
	return words
}()

// Unpreferred returns the first word of a text that marks a form which is never preferred: print,
// amp, mobile, old, copy, index and others of unpreferred.txt. "" is none. O(bytes).
func Unpreferred(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c > '~' || !dust.IsAlnum(byte(c)) })
	for _, word := range words {
		if unpreferred[word] {
			return word
		}
	}
	return ""
}
