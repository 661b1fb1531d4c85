package public

import (
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// classes are the values that a rule may cut out of a path. Kind writes each of them "#".
var classes = [...]rule.Pattern{{Class: rule.Digits}, {Class: rule.Hex}}

// Values yields the segments of a mined string's path that a rule may cut out, each with its place
// from 0: not the last segment, which tells what the page is of. O(bytes).
func Values(url string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		path, _, _ := strings.Cut(url, "?")
		_, path, _ = strings.Cut(path, "/")
		path = strings.TrimRight(path, "/")
		for i := 0; ; i++ {
			segment, rest, more := strings.Cut(path, "/")
			isValue := more && (classes[0].Matches([]byte(segment)) || classes[1].Matches([]byte(segment)))
			if !more || isValue && !yield(i, segment) {
				return
			}
			path = rest
		}
	}
}

// without reports whether v follows from u without a segment that is a value, or without it and
// the segment before it, where the public asks for URLs of u's kind with at least Least different
// values in that place. O(bytes) for each value in the path of u.
func (k *Kinds) without(v, u string) bool {
	kind := Kind(u)
	if !Several(k.kinds.of(k.hash(kind))) {
		return false
	}
	head, path, _ := strings.Cut(u, "/")
	segments := strings.Split(path, "/")
	for i := range Values(u) {
		if !k.places.has(k.placeOf(kind, i)) {
			continue
		}
		for from := max(0, i-1); from <= i; from++ {
			left := strings.Join(slices.Concat([]string{head}, segments[:from], segments[i+1:]), "/")
			if Follows(v, left) && k.isHarmless(v, left) {
				return true
			}
		}
	}
	return false
}
