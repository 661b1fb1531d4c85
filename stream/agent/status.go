package agent

import (
	"sync"
	"time"

	"dustbuster/stream/records"
)

// Status describes the state of an agent. Counts are since New.
type Status struct {
	Started    time.Time
	Counts     records.Counts // of lines read
	Bytes      int64          // of them
	Ahead      int            // hits too far ahead of the clock
	Lost       int64          // offsets of line topics deleted before they were read, or unreadable
	Sent       Sent           // and acknowledged
	Waiting    int            // observations gathered and not yet sent
	Remembered int            // emitted observations remembered by the combiner
	Errors     int            // after which the agent went on
	LastError  string
	Committed  time.Time // the last time; zero before the first
}

// Sent counts the data sent to Kafka.
type Sent struct {
	Observations int
	Letters      int // lines that could not be parsed
	Records      int
	Bytes        int // of keys and values, before compression
}

func (s *Sent) add(t *Sent) {
	s.Observations += t.Observations
	s.Letters += t.Letters
	s.Records += t.Records
	s.Bytes += t.Bytes
}

// shared is the state that other goroutines may read.
type shared struct {
	mu     sync.Mutex
	status Status
	turned time.Time
}

func (s *shared) update(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

func (s *shared) turn(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turned = now
}

// Status returns how the agent is doing.
func (a *Agent) Status() Status {
	a.shared.mu.Lock()
	defer a.shared.mu.Unlock()
	return a.shared.status
}

// Lost counts offsets of topics reported to TopicsOptions.Lost.
func (a *Agent) Lost(offsets int64) { a.shared.update(func(s *Status) { s.Lost += offsets }) }

// Stalled returns for how long the agent has not turned, as when a disk hangs; 0 if the
// agent is not running. An agent that waits for brokers is not stalled.
func (a *Agent) Stalled() time.Duration {
	a.shared.mu.Lock()
	defer a.shared.mu.Unlock()
	if a.shared.turned.IsZero() {
		return 0
	}
	return time.Since(a.shared.turned)
}
