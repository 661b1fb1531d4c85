package kafka

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(time.Second)
		for range 100 {
			time.Sleep(time.Second)
			if !l.holds() {
				t.Fatal("no gap was longer than a second")
			}
		}
		time.Sleep(time.Second + 1)
		if l.holds() {
			t.Error("a gap was longer than a second")
		}
		if l.holds() {
			t.Error("what is lost stays lost")
		}
	})
}

// While a machine is suspended, the monotonic clock stands still and the wall clock shows
// the gap. A clock set back shows no gap.
func TestLeaseWallClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which no time passes between two lines
		l := newLease(time.Second)
		if !l.at(time.Now().Add(-time.Hour)) {
			t.Error("lost by a clock that was set back")
		}
		if !newLease(time.Second).at(time.Now().Round(0).Add(time.Second)) {
			t.Error("lost by a second")
		}
		if newLease(time.Second).at(time.Now().Round(0).Add(time.Second + 1)) {
			t.Error("held over more than a second of the wall clock")
		}
	})
}
