package evidence_test

import (
	"testing"

	"dustbuster/operators/window/evidence"
)

// Two pages touch if a size or digest of one is exactly one of the other, in the same class.
func TestTouches(t *testing.T) {
	of := func(class uint8, low, high int64) evidence.Spans {
		return evidence.Spans{{Class: class, Min: low, Max: high}}
	}
	for _, c := range []struct {
		name string
		e, f evidence.Spans
		want bool
	}{
		{"equal", of(0, 5, 5), of(0, 5, 5), true},
		{"the least is the greatest", of(0, 5, 9), of(0, 9, 12), true},
		{"near", of(0, 1000, 1000), of(0, 1001, 1001), false},
		{"within", of(0, 5, 9), of(0, 6, 8), false},
		{"another class", of(0, 5, 5), of(1, 5, 5), false},
		{"unknown", nil, of(0, 5, 5), false},
		{"digests", of(evidence.Digest, -3, -3), of(evidence.Digest, -3, -3), true},
	} {
		if c.e.Touches(c.f) != c.want || c.f.Touches(c.e) != c.want {
			t.Errorf("%s: not %t", c.name, c.want)
		}
	}
}
