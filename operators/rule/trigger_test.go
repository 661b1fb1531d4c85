package rule

import (
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule/dust"
)

// The whole tokens of a prefix end on a boundary of every URL below it, and no longer
// part does.
func TestWholeTokens(t *testing.T) {
	more := oracle.Strings("%41F/", 2)
	for _, prefix := range append(oracle.Strings("%41F/", 5), "/a%C3%A", "/%C3%A9", "/a%2", "/a%3", "/a%2F%") {
		want := len(prefix)
		for slices.ContainsFunc(more, func(x string) bool { return !dust.Boundary(prefix+x, want) }) {
			want--
		}
		if got := wholeTokens(prefix); got != prefix[:want] {
			t.Fatalf("%q: %q, want %q", prefix, got, prefix[:want])
		}
	}
}
