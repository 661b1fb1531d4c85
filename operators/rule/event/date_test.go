package event

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Package time is the oracle of timestamp, from the year 0 to 9999.
func TestTimestamp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(seconds int64) {
		if got, want := timestamp(seconds), time.Unix(seconds, 0).UTC().Format(time.RFC3339); got != want {
			t.Fatalf("%d is %s, want %s", seconds, got, want)
		}
	}
	for day := int64(-719_528); day < 2_932_896; day += 1 + rng.Int64N(20) {
		check(day * 86_400)
		check(day*86_400 + rng.Int64N(86_400))
	}
	check(951_782_399) // the last second of 28 February 2000
	check(951_782_400)
	check(951_868_800)
}
