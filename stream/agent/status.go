package agent

import (
	"time"

	"dustbuster/operators/metric"
	"dustbuster/stream/records"
)

// Status describes the state of an agent. Counts are since New.
type Status struct {
	Started     time.Time
	Counts      records.Counts // of lines read
	Bytes       int64          // of them
	Ahead       int            // hits too far ahead of the clock
	Lost        int64          // offsets of line topics deleted before they were read, or unreadable
	Sent        Sent           // and acknowledged
	Waiting     int            // observations gathered and not yet sent
	Remembered  int            // sent observations remembered by the combiner
	Errors      Errors         // after which the agent went on
	LastError   string
	Committed   time.Time // the last time; zero before the first
	Unsent      time.Time // when the oldest batch under way was made; zero: all are acknowledged
	Uncommitted string    // why it cannot be noted how far lines are dealt with; "": it can
	Unserved    int       // partitions of the observations that nobody serves: added since New
}

// Failure is the work that failed in an error.
type Failure int

// The kinds of failures.
const (
	ReadFailed   Failure = iota // lines cannot be read
	CommitFailed                // positions were not saved
	RevokeFailed                // partitions were given away before all lines had arrived
	failures
)

var failureNames = [failures]string{"read", "commit", "revoke"}

// Errors counts errors by what failed.
type Errors [failures]int

// All returns the number of all errors.
func (e *Errors) All() (n int) {
	for _, one := range e {
		n += one
	}
	return n
}

// Sent counts the data sent to Kafka.
type Sent struct {
	Observations int `json:"observations"`
	DeadLetters  int `json:"dead_letters"` // lines that could not be parsed
	Records      int `json:"records"`
	Bytes        int `json:"bytes"` // of keys and values, before compression
}

// dropped returns the numbers of admitted hits that were dropped, by reason.
func (s *Status) dropped() map[string]int { return map[string]int{records.AheadOfClock: s.Ahead} }

// Metrics returns the state of the agent as metrics, with the counts of lines.
func (s *Status) Metrics() []metric.Metric {
	all := append(s.Counts.Metrics(), records.DroppedMetrics(s.dropped())...)
	all = append(all,
		metric.Counter("read_bytes_total", "Bytes of lines read.", s.Bytes),
		metric.Counter("lost_offsets_total", "Offsets of topics of lines that were deleted or damaged before they were read.", s.Lost),
		metric.Counter("sent_observations_total", "Observations that Kafka has acknowledged.", s.Sent.Observations),
		metric.Counter("sent_dead_letters_total", "Unreadable lines that were sent to Kafka and acknowledged.", s.Sent.DeadLetters),
		metric.Counter("sent_records_total", "Records that Kafka has acknowledged.", s.Sent.Records),
		metric.Counter("sent_bytes_total", "Bytes of the keys and values that Kafka has acknowledged, before compression.", s.Sent.Bytes),
		metric.Gauge("unacknowledged_seconds", "Age of the oldest observations that Kafka has not acknowledged.", s.unacknowledged(time.Now()).Seconds()),
		metric.Gauge("waiting_observations", "Observations gathered and not yet sent.", s.Waiting),
		metric.Gauge("unserved_partitions", "Partitions of the topic of observations without a miner.", s.Unserved),
		metric.Gauge("remembered_observations", "Observations remembered as sent, so that they are not sent again.", s.Remembered),
	)
	for what, n := range s.Errors {
		all = append(all, metric.Counter("errors_total", "Errors after which the program went on, by what failed.", n, metric.Label{Name: "reason", Value: failureNames[what]}))
	}
	if !s.Committed.IsZero() {
		all = append(all, metric.Gauge("last_commit_timestamp_seconds", "When the position in the lines was last saved, in Unix time.", float64(s.Committed.UnixNano())/float64(time.Second)))
	}
	return all
}

// unacknowledged is the age of the oldest batch under way.
func (s *Status) unacknowledged(now time.Time) time.Duration {
	if s.Unsent.IsZero() {
		return 0
	}
	return now.Sub(s.Unsent)
}

// The parts of a status document about an agent, in the order of the document.
type (
	// ReadJSON is what an agent has read.
	ReadJSON struct {
		Started time.Time      `json:"started"`
		Lines   map[string]int `json:"lines"`
		Bytes   int64          `json:"bytes"`
		Dropped map[string]int `json:"hits_dropped"`
	}
	// SentJSON is what an agent has sent.
	SentJSON struct {
		Lost       int64 `json:"lost_offsets"`
		Sent       Sent  `json:"sent"`
		Waiting    int   `json:"waiting_observations"`
		Remembered int   `json:"remembered_observations"`
	}
	// HealthJSON is the progress of an agent, and errors.
	HealthJSON struct {
		Committed time.Time `json:"committed,omitzero"`
		Errors    int       `json:"errors"`
		Error     string    `json:"last_error,omitempty"`
	}
)

// JSON returns the parts of a status document.
func (s *Status) JSON() (ReadJSON, SentJSON, HealthJSON) {
	return ReadJSON{s.Started.UTC(), s.Counts.JSON(), s.Bytes, s.dropped()},
		SentJSON{s.Lost, s.Sent, s.Waiting, s.Remembered},
		HealthJSON{s.Committed.UTC(), s.Errors.All(), s.LastError}
}

func (s *Sent) add(t *Sent) {
	s.Observations += t.Observations
	s.DeadLetters += t.DeadLetters
	s.Records += t.Records
	s.Bytes += t.Bytes
}

// update changes the status, which other goroutines may read.
func (a *Agent) update(change func(*Status)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.status)
}

// Status returns how the agent is doing.
func (a *Agent) Status() Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.status
}

// Lost counts offsets of topics reported to TopicsOptions.Lost.
func (a *Agent) Lost(offsets int64) { a.update(func(s *Status) { s.Lost += offsets }) }

// Added notes the number of partitions that were added to the topic of observations since New.
// The agent sends nothing to added partitions. news reports whether the number is another.
func (a *Agent) Added(partitions int) (news bool) {
	a.update(func(s *Status) {
		news = s.Unserved != partitions
		s.Unserved = partitions
	})
	return news
}

// Stalled returns for how long the agent has not turned, as when a disk hangs; 0 if the
// agent is not running. An agent that waits for brokers is not stalled.
func (a *Agent) Stalled() time.Duration {
	if turned := a.turned.Load(); turned != nil {
		return time.Since(*turned)
	}
	return 0
}
