package tail

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/metric"
)

// Lag is the backlog of a file. The file has unprocessed lines or is still followed.
type Lag struct {
	File  string    // where the file was last seen
	Bytes int64     // on disk and not processed
	Since time.Time // a time at which the first of the bytes were already there; zero if there are none
}

// Lags lists the files followed in the order of their paths, each with its backlog. The
// consumer reports its progress through Positions. Any goroutine may call Lags.
func (r *Reader) Lags() []Lag {
	all := map[string]Lag{}
	for _, g := range r.shown().known() {
		if lag, ok := g.lag(); ok {
			all[lag.File] = lag.with(all[lag.File])
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Lag) int { return cmp.Compare(a.File, b.File) })
}

// Passed reports lines that the consumer has dealt with, although Positions does not move past
// them, so that the next Reader hands them out again: up to end, a Batch.End of a file. Passed
// lines are no backlog. Any goroutine may call Passed.
func (r *Reader) Passed(file uint64, end int64) {
	all := r.shown().generations
	if at, found := slices.BinarySearchFunc(all, file, (*shared).compare); found {
		raise(&all[at].passed, end)
	}
}

// with merges the lags of two generations seen in one place, as happens when a file was
// emptied.
func (l Lag) with(o Lag) Lag {
	l.Bytes += o.Bytes
	if l.Since.IsZero() || !o.Since.IsZero() && o.Since.Before(l.Since) {
		l.Since = o.Since
	}
	return l
}

// lag returns the lag of a generation, or false if the whole generation was processed.
func (g *known) lag() (Lag, bool) {
	if g.position.Finished && g.dealt >= g.end {
		return Lag{}, false
	}
	l := Lag{File: g.position.File, Bytes: max(0, g.position.Size-g.dealt)}
	if g.packed { // offsets count decompressed bytes
		l.Bytes = g.position.Size
	}
	if l.Bytes > 0 {
		l.Since = g.backlog.since(g.dealt)
	}
	return l, true
}

// backlog remembers at which time a file had which size. It holds at most maxMarks
// marks; the longer the backlog, the further apart the marks.
type backlog []mark

type mark struct {
	size int64
	at   time.Time
}

// maxMarks bounds a backlog. A file followed closely has two or three marks.
const maxMarks = 64

// grow notes a size and drops the sizes already processed.
func (b *backlog) grow(size, dealt int64, at time.Time) {
	passed := slices.IndexFunc(*b, func(m mark) bool { return m.size > dealt })
	if passed < 0 {
		passed = len(*b)
	}
	*b = slices.Delete(*b, 0, passed)
	if n := len(*b); n > 0 && size <= (*b)[n-1].size || size <= dealt {
		return
	}
	if len(*b) == maxMarks {
		b.thin()
	}
	*b = append(*b, mark{size, at})
}

// thin merges pairs of marks: the size of the second mark with the time of the first.
func (b *backlog) thin() {
	half := (*b)[:0]
	for i := 0; i+1 < len(*b); i += 2 {
		half = append(half, mark{(*b)[i+1].size, (*b)[i].at})
	}
	*b = half
}

// since returns a time at which bytes beyond dealt were already there.
func (b backlog) since(dealt int64) time.Time {
	for _, m := range b {
		if m.size > dealt {
			return m.at
		}
	}
	return time.Time{}
}

// Metrics returns the counts as metrics.
func (s *Stats) Metrics() []metric.Metric {
	return []metric.Metric{
		metric.Counter("tail_read_bytes_total", "Bytes of lines read from followed logs.", s.Bytes),
		metric.Counter("tail_oversized_lines_total", "Lines that were too long and not read.", s.Oversized),
		metric.Counter("tail_skipped_bytes_total", "Bytes that were skipped: zero bytes, and lines that are too long or cut off.", s.Skipped),
		metric.Counter("tail_null_runs_total", "Runs of zero bytes that were not read.", s.NullRuns),
		metric.Counter("tail_rotations_total", "Rotations of followed logs.", s.Rotations),
		metric.Counter("tail_truncations_total", "Followed logs that were emptied or cut.", s.Truncations),
		metric.Counter("tail_abandoned_files_total", "Log files that disappeared before they were read to the end.", s.Abandoned),
		metric.Counter("tail_abandoned_bytes_total", "Unread bytes of log files that disappeared.", s.AbandonedBy),
		metric.Counter("tail_damaged_files_total", "Compressed files that could not be read to the end.", s.Damaged),
		metric.Counter("tail_errors_total", "Failed attempts to open or read a log.", s.Errors),
		metric.Gauge("tail_files", "Open log files, including rotated ones.", s.Following),
	}
}

// MarshalJSON writes the backlog of a file for a status document.
func (l Lag) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		File    string  `json:"file"`
		Bytes   int64   `json:"lag_bytes"`
		Seconds float64 `json:"lag_seconds"`
	}{strings.ToValidUTF8(l.File, "\uFFFD"), l.Bytes, l.seconds()})
}

// seconds returns for how long the first bytes of the backlog have waited, at least.
func (l *Lag) seconds() float64 {
	if l.Since.IsZero() {
		return 0
	}
	return max(0, time.Since(l.Since).Seconds())
}
