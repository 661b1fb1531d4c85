// Package input describes the inputs of a program for its operator: followed logs, pipes,
// and partitions of topics. The packages that read inputs fill in a [State]; the admin
// listener shows it.
package input

import (
	"slices"
	"strings"

	"dustbuster/operators/metric"
)

// Kind is what an input is.
type Kind string

// The kinds of inputs.
const (
	Log          Kind = "log"          // a followed path; one or more generations lie behind it
	Pipe         Kind = "pipe"         // a named pipe, or standard input
	Lines        Kind = "lines"        // a partition of a topic of log lines
	Observations Kind = "observations" // a partition of a topic of observations
)

// State is the state of one input. Texts may hold bytes of the log: LastError quotes lines.
// Counts are since the start, or since the last change of the inputs.
type State struct {
	Kind      Kind   `json:"kind"`
	Name      string `json:"name"`                // the path, "-" for standard input, or TOPIC/PARTITION
	Topic     string `json:"topic,omitempty"`     // of a partition
	Partition *int   `json:"partition,omitempty"` // its number
	Format    string `json:"format,omitempty"`    // "": not known yet, or not of log lines

	// Of a log, the numbers are those of its newest generation. Behind has the older generations
	// that are not dealt with, or may still grow. Of a partition, Generation is that of the
	// group, and numbers count records.
	Generation string       `json:"generation,omitempty"` // device:inode of a file, or a number of the group's; "": none
	File       string       `json:"file,omitempty"`       // where the generation of a log lies
	Compressed bool         `json:"compressed,omitempty"` // Offset counts decompressed bytes, Size does not
	Offset     int64        `json:"offset"`               // dealt with and saved; of a pipe, bytes read; -1: nothing yet
	Size       *int64       `json:"size,omitempty"`       // of the file, or the partition's end; nil: not known
	Behind     []Generation `json:"behind,omitempty"`     // oldest first

	LagBytes   *int64  `json:"lag_bytes,omitempty"`   // of a log: on disk and not dealt with, in all generations
	LagRecords *int64  `json:"lag_records,omitempty"` // of a partition
	LagSeconds float64 `json:"lag_seconds"`           // of a log: for how long, at least, the first of them have been there; of a partition: the age of the last record read; 0: there is no lag
	CaughtUp   bool    `json:"caught_up"`             // what was there at the start is dealt with
	Ended      bool    `json:"ended,omitempty"`       // no more lines come

	ReadAt      int64              `json:"read_at,omitempty"` // Unix time of the last lines; 0: none yet
	Lines       map[string]int     `json:"lines"`             // by what became of them; "all"; and "reread", which are counted twice; results without a line are left out
	Malformed   map[string]float64 `json:"malformed_share"`   // share of all lines that could not be read, by reason
	LastError   string             `json:"last_error,omitempty"`
	LastErrorAt int64              `json:"last_error_at,omitempty"` // Unix time
}

// Generation is an older generation of a log.
type Generation struct {
	Generation string `json:"generation"`
	File       string `json:"file"` // where it was last seen
	Compressed bool   `json:"compressed,omitempty"`
	Offset     int64  `json:"offset"`
	Size       int64  `json:"size"`
	LagBytes   int64  `json:"lag_bytes"`
}

// Unread are the names, in Lines, of lines that could not be read.
var Unread = []string{"malformed", "unknown_format", "oversized"}

// Count sets the counts of lines. The final counts have each line once.
func (s *State) Count(lines, final map[string]int) {
	s.Lines, s.Malformed = map[string]int{"all": 0}, map[string]float64{}
	for result, n := range lines {
		if n > 0 || slices.Contains(always, result) {
			s.Lines[result] = n
		}
	}
	for _, why := range Unread {
		s.Malformed[why] = 0
		if all := final["all"]; all > 0 {
			s.Malformed[why] = float64(final[why]) / float64(all)
		}
	}
}

// Fail notes an error, unless a later error is noted. The time is in Unix seconds.
func (s *State) Fail(what string, at int64) {
	if what != "" && at >= s.LastErrorAt {
		s.LastError, s.LastErrorAt = what, at
	}
}

// Lag sets the size and the lag of a partition: its end (-1: not known), the time of the last
// record read (0: none was read), and the present time, in Unix seconds.
func (s *State) Lag(end, written, now int64) {
	if end < 0 {
		return
	}
	lag := max(0, end-max(0, s.Offset))
	s.Size, s.LagRecords = &end, &lag
	if lag > 0 && written > 0 {
		s.LagSeconds = float64(max(0, now-written))
	}
}

// Metrics returns the states as metrics. An input that is listed twice is shown once.
func Metrics(all []State) (list []metric.Metric) {
	seen := map[string]bool{}
	for i := range all {
		s := &all[i]
		if name := strings.ToValidUTF8(s.Name, "\uFFFD"); !seen[name] {
			seen[name] = true
			list = append(list, s.metrics()...)
		}
	}
	return list
}

func (s *State) metrics() (all []metric.Metric) {
	input := metric.Label{Name: "input", Value: strings.ToValidUTF8(s.Name, "\uFFFD")}
	caughtUp := 0
	if s.CaughtUp {
		caughtUp = 1
	}
	all = append(all, metric.Gauge("input_caught_up", "1 once the lines that were in the input at the start have been read.", caughtUp, input),
		metric.Gauge("input_lag_seconds", "Age of the oldest unread line of a log, at least, or of the last record read of a partition. 0 if nothing is unread.", s.LagSeconds, input))
	if s.LagBytes != nil {
		all = append(all, metric.Gauge("input_lag_bytes", "Unread bytes of a followed log. A compressed file counts whole until it is read.", *s.LagBytes, input))
	}
	if s.LagRecords != nil {
		all = append(all, metric.Gauge("input_lag_records", "Records of a partition that are not read yet.", *s.LagRecords, input))
	}
	if s.ReadAt > 0 {
		all = append(all, metric.Gauge("input_last_read_timestamp_seconds", "When the last lines were read, in Unix time.", s.ReadAt, input))
	}
	for result, n := range s.Lines {
		if result != "all" && result != "reread" {
			all = append(all, metric.Counter("input_lines_total", "Lines of an input, by what became of them; results without a line are left out.", n, input, metric.Label{Name: "result", Value: result}))
		}
	}
	return all
}

// always are the results that are shown even if there is no such line, so that a first line
// is seen as an increase.
var always = append([]string{"admitted"}, Unread...)
