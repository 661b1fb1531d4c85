package book

import (
	"testing"
)

// The share of pairs apart must reach a minimum, and must be twice the earlier share.
func TestContradict(t *testing.T) {
	for _, c := range []struct {
		now, before Sizes
		want        bool
	}{
		{Sizes{Pairs: 3, Apart: 3}, Sizes{}, true},
		{Sizes{Pairs: 2, Apart: 2}, Sizes{}, false},
		{Sizes{Pairs: 100, Apart: 4}, Sizes{}, false},
		{Sizes{Pairs: 100, Apart: 5}, Sizes{}, true},
		{Sizes{Pairs: 100, Apart: 39}, Sizes{Pairs: 10, Apart: 2}, false},
		{Sizes{Pairs: 100, Apart: 40}, Sizes{Pairs: 10, Apart: 2}, true},
		{Sizes{Pairs: 100, Apart: 100}, Sizes{Pairs: 100, Apart: 51}, false},
		{Sizes{}, Sizes{}, false},
	} {
		if got := c.now.Contradict(c.before, 0.05); got != c.want {
			t.Errorf("%+v after %+v: %v", c.now, c.before, got)
		}
	}
}
