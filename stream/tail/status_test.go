package tail

import (
	"testing"
	"time"
)

// Lines that wait in a file have waited since their arrival.
func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		since    time.Time
		min, max float64
	}{
		{time.Time{}, 0, 0},
		{time.Now().Add(-time.Hour), 3600, 7200},
		{time.Now().Add(time.Hour), 0, 0}, // the clock was set back
	} {
		l := Lag{Since: c.since}
		if got := l.seconds(); got < c.min || got > c.max {
			t.Errorf("%v: %v seconds, want %v to %v", c.since, got, c.min, c.max)
		}
	}
}
