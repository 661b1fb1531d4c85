package rule

import (
	_ "embed"
	"iter"
	"strings"

	"dustbuster/operators/rule/dust"
)

//go:embed unpreferred.txt
var unpreferredFile string

// unpreferred holds the words of unpreferred.txt, each with the kind of its forms.
var unpreferred = func() map[string]string {
	kinds := map[string]string{}
	for line := range strings.Lines(unpreferredFile) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] != "#" {
			kinds[fields[0]] = fields[1]
		}
	}
	return kinds
}()

// Unpreferred returns the first word of a text that marks a form which is never preferred: print,
// amp, mobile, old, copy, index and others of unpreferred.txt. "" is none. O(bytes).
func Unpreferred(text string) string {
	for word := range unpreferredIn(text) {
		return word
	}
	return ""
}

// unpreferredIn yields the words of a text that mark a form which is never preferred, each with the
// kind of the form.
func unpreferredIn(text string) iter.Seq2[string, string] {
	return func(yield func(word, kind string) bool) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return c > '~' || !dust.IsAlnum(byte(c)) }) {
			if kind := unpreferred[word]; kind != "" && !yield(word, kind) {
				return
			}
		}
	}
}
