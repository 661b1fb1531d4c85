package forms

import (
	"testing"

	"dustbuster/operators/window/evidence"
)

// Sizes are compared within a class. Digests are compared if each page has exactly one.
func TestCanCompare(t *testing.T) {
	size := func(class uint8) evidence.Span { return evidence.Span{Class: class, Min: 1, Max: 1} }
	digest, several := size(evidence.Digest), evidence.Span{Class: evidence.Digest, Min: 1, Max: 2}
	for _, c := range []struct {
		a, b evidence.Spans
		want bool
	}{
		{evidence.Spans{size(1), size(2)}, evidence.Spans{size(2)}, true},
		{evidence.Spans{size(1)}, evidence.Spans{size(2)}, false},
		{evidence.Spans{size(1)}, nil, false},
		{evidence.Spans{digest}, evidence.Spans{size(1), digest}, true},
		{evidence.Spans{digest}, evidence.Spans{several}, false},
		{evidence.Spans{size(1), several}, evidence.Spans{size(1), digest}, true},
	} {
		if canCompare(c.a, c.b) != c.want || canCompare(c.b, c.a) != c.want {
			t.Errorf("%v and %v", c.a, c.b)
		}
	}
}
