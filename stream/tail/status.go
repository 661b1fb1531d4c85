package tail

import (
	"encoding/json"
	"strings"
	"time"

	"dustbuster/operators/metric"
)

// Metrics returns the counts as metrics.
func (s *Stats) Metrics() []metric.Metric {
	return []metric.Metric{
		metric.Counter("tail_read_bytes_total", "Bytes of lines read from followed logs.", s.Bytes),
		metric.Counter("tail_oversized_lines_total", "Lines left out for their length.", s.Oversized),
		metric.Counter("tail_skipped_bytes_total", "Bytes left out: of oversized and torn lines, and zero bytes.", s.Skipped),
		metric.Counter("tail_null_runs_total", "Runs of zero bytes left out.", s.NullRuns),
		metric.Counter("tail_rotations_total", "Times that a path led to a new file.", s.Rotations),
		metric.Counter("tail_truncations_total", "Times that a file was emptied or cut.", s.Truncations),
		metric.Counter("tail_abandoned_files_total", "Files that went away before they were read to their end.", s.Abandoned),
		metric.Counter("tail_abandoned_bytes_total", "Bytes not read of files that went away.", s.AbandonedBy),
		metric.Counter("tail_damaged_files_total", "Compressed files that could not be read to their end.", s.Damaged),
		metric.Counter("tail_errors_total", "Failed attempts to open or read a log.", s.Errors),
		metric.Gauge("tail_files", "Log files held open, rotated ones too.", s.Following),
	}
}

// MarshalJSON writes the backlog of a file for a status document.
func (l Lag) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		File    string  `json:"file"`
		Bytes   int64   `json:"lag_bytes"`
		Seconds float64 `json:"lag_seconds"`
	}{l.name(), l.Bytes, l.seconds()})
}

// name returns the path as valid UTF-8.
func (l *Lag) name() string { return strings.ToValidUTF8(l.File, "\uFFFD") }

// seconds returns for how long the first bytes of the backlog have waited, at least.
func (l *Lag) seconds() float64 {
	if l.Since.IsZero() {
		return 0
	}
	return max(0, time.Since(l.Since).Seconds())
}
