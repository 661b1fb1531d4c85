package lifecycle

import (
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
)

// Trials that bring little rest an hour, then two, up to a day. After trials that brought more, it is an hour again.
func TestRests(t *testing.T) {
	y, now, merged := &yield{}, int64(1_000_000), 0.1
	try := func(more float64) int64 {
		for range yieldSpan {
			y.count(Trial, 1)
			merged += more / yieldSpan
			y.note(merged)
		}
		if !y.rests(now) {
			return 0
		}
		rested := y.until - now
		now = y.until
		return rested / book.Hour
	}
	var hours []int64
	for _, more := range []float64{0, 0, 0.001, 0, 0, 0, 0, 0.01, 0} {
		hours = append(hours, try(more))
	}
	if want := []int64{1, 2, 4, 8, 16, 24, 24, 0, 1}; !slices.Equal(hours, want) {
		t.Errorf("rests for %d hours, want %d", hours, want)
	}
}
