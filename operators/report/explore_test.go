package report

import (
	"fmt"
	"testing"
)

// Programs in other languages must choose the same URLs: docs/crawlers.md has these examples.
func TestExplores(t *testing.T) {
	for _, c := range []struct {
		url   string
		oneIn uint64
		want  bool
	}{
		{"http://www.example.org/a?sid=501", 1000, true}, {"http://www.example.org/a?sid=623", 1000, true}, {"http://www.example.org/a?sid=2452", 1000, true},
		{"http://www.example.org/a?sid=1", 1000, false}, {"http://www.example.org/a?sid=1", 4, true}, {"http://h/%C3%A9?x=1#f", 2, true},
		{"https://www.example.org/", 2, false}, {"https://www.example.org/", 5, true}, {"https://www.example.org/", 1, true}, {"https://www.example.org/", 0, false},
	} {
		if got := Explores("2026-11-22", c.url, c.oneIn); got != c.want {
			t.Errorf("%s, 1 in %d: %v", c.url, c.oneIn, got)
		}
	}
	n, other := 0, 0
	for i := range 20_000 {
		url := fmt.Sprint("http://www.example.org/a?sid=", i)
		if Explores("2026-11-22", url, 20) {
			n++
			if Explores("2026-11-23", url, 20) {
				other++
			}
		}
	}
	if n < 850 || n > 1150 || other > 150 {
		t.Errorf("%d of 20,000 URLs are chosen at 1 in 20, %d of them on the next day too", n, other)
	}
}
