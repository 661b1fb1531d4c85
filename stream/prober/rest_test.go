package prober

import (
	"testing"

	"dustbuster/operators/judge/lifecycle"
)

// A rule's trial that has begun may take half of the requests kept for that of the set.
func TestRestAt(t *testing.T) {
	for _, c := range []struct {
		left, kept int
		want       lifecycle.Rest
	}{
		{1000, 100, lifecycle.NoRest}, {101, 100, lifecycle.NoRest}, {100, 100, lifecycle.LastRule}, {51, 100, lifecycle.LastRule},
		{50, 100, lifecycle.FullRest}, {0, 100, lifecycle.FullRest}, {1, 0, lifecycle.NoRest}, {0, 0, lifecycle.FullRest},
	} {
		if got := restAt(c.left, c.kept); got != c.want {
			t.Errorf("%d left, %d kept: %d, want %d", c.left, c.kept, got, c.want)
		}
	}
}
