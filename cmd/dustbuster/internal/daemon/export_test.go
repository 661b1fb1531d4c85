package daemon

import (
	"fmt"
	"slices"
	"testing"
)

// Of many URLs, some are looked at, in even steps.
func TestSome(t *testing.T) {
	for _, c := range []struct {
		given int
		want  string
	}{{0, "[] 0 0"}, {1, "[0] 1 1"}, {4, "[0 1 2 3] 4 4"}, {5, "[0 2 4] 3 5"}, {8, "[0 2 4 6] 4 8"}, {9, "[0 3 6] 3 9"}} {
		var all [][]byte
		for i := range c.given {
			all = append(all, fmt.Append(nil, i))
		}
		part, looked, of := some(slices.Values(all), 4)
		var got []string
		for url := range part {
			got = append(got, string(url))
		}
		if s := fmt.Sprint(got, looked, of); s != c.want {
			t.Errorf("of %d URLs: %s, want %s", c.given, s, c.want)
		}
		for range part { // may be left, and read again
			break
		}
	}
}
