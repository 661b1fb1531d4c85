package book_test

import (
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
)

// The share of pairs apart must reach a minimum, and must be twice the earlier share.
func TestContradict(t *testing.T) {
	for _, c := range []struct {
		name        string
		now, before book.Sizes
		want        bool
	}{
		{"enough pairs", book.Sizes{Pairs: 3, Apart: 3}, book.Sizes{}, true},
		{"few pairs", book.Sizes{Pairs: 2, Apart: 2}, book.Sizes{}, false},
		{"a small share", book.Sizes{Pairs: 100, Apart: 4}, book.Sizes{}, false},
		{"enough", book.Sizes{Pairs: 100, Apart: 5}, book.Sizes{}, true},
		{"less than twice", book.Sizes{Pairs: 100, Apart: 39}, book.Sizes{Pairs: 10, Apart: 2}, false},
		{"twice", book.Sizes{Pairs: 100, Apart: 40}, book.Sizes{Pairs: 10, Apart: 2}, true},
		{"most were apart before", book.Sizes{Pairs: 100, Apart: 100}, book.Sizes{Pairs: 100, Apart: 51}, false},
		{"no pairs", book.Sizes{}, book.Sizes{}, false},
	} {
		if got := c.now.Contradict(c.before, 0.05); got != c.want {
			t.Errorf("%s: %+v after %+v: %v", c.name, c.now, c.before, got)
		}
	}
}
