package kafka

import (
	"sync"
	"time"
)

// lease detects times in which the process did not run: the process was stopped, or its
// machine was paused. The owner asks the lease many times within the longest allowed gap. A
// longer gap between two questions ends the lease for good.
type lease struct {
	longest time.Duration
	mutex   sync.Mutex
	last    time.Time
	lost    bool
}

func newLease(longest time.Duration) *lease { return &lease{longest: longest, last: time.Now()} }

func (l *lease) holds() bool { return l.at(time.Now()) }

// at reads both clocks. While a machine is suspended, the monotonic clock stands still and
// the wall clock does not.
func (l *lease) at(now time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if now.Sub(l.last) > l.longest || now.Round(0).Sub(l.last.Round(0)) > l.longest {
		l.lost = true
	}
	l.last = now
	return !l.lost
}
