package records

import "bytes"

// sample holds the last lines that no parser could read, and schedules attempts to detect their
// format. An attempt is due after so many new lines since the last attempt, or after so many in
// a row. Both numbers double with each failed attempt, because foreign lines must not cost more
// than the lines read. They start again once so many lines have been read that the next
// attempts cost little in comparison.
type sample struct {
	lines [][]byte // a ring; the oldest line is at next
	next  int
	bytes int
	fresh int // lines since the last attempt
	row   int // lines in a row
	due   int // value of fresh at which the next attempt is due
	long  int // value of row at which the next attempt is due
}

// The first attempts are early, so that a changed format is detected soon. In a wrapper
// other programs write lines too, so more lines are required there.
var (
	failedSample = sample{due: 8, long: 64}
	otherSample  = sample{due: 128, long: 128}
)

// The bounds of a sample and of the intervals between attempts. An attempt costs about
// two milliseconds, as much as reading several thousand lines.
const (
	sampleLines = 256
	sampleBytes = 256 << 10
	sampleLine  = 16 << 10
	mostDue     = 1 << 16
	calm        = 1 << 17 // lines read, after which the intervals are reset
)

// add keeps a copy of a line, and returns the number of last lines to use for an attempt now,
// or 0. InRow says whether it directly follows the one before.
func (s *sample) add(line []byte, inRow bool) (look int) {
	if !inRow {
		s.row = 0
	}
	s.fresh++
	s.row++
	if len(line) <= sampleLine && len(bytes.TrimSpace(line)) > 0 {
		s.keep(line)
	}
	switch {
	case s.fresh >= s.due:
		return s.fresh
	case s.row == s.long:
		return s.row
	}
	return 0
}

func (s *sample) keep(line []byte) {
	if s.bytes > sampleBytes-len(line) {
		s.lines, s.next, s.bytes = nil, 0, 0
	}
	s.bytes += len(line)
	if len(s.lines) < sampleLines {
		s.lines = append(s.lines, bytes.Clone(line))
		return
	}
	s.bytes -= len(s.lines[s.next])
	s.lines[s.next] = append(s.lines[s.next][:0], line...)
	s.next = (s.next + 1) % sampleLines
}

func (s *sample) inOrder() [][]byte {
	return append(s.lines[s.next:len(s.lines):len(s.lines)], s.lines[:s.next]...)
}

// newest returns the last n lines, as far as kept.
func (s *sample) newest(n int) [][]byte {
	all := s.inOrder()
	return all[max(0, len(all)-n):]
}

// later postpones the next attempt after a failed attempt.
func (s *sample) later() {
	if s.row == s.long {
		s.long *= 2
	}
	if s.fresh >= s.due {
		s.fresh, s.due = 0, min(2*s.due, mostDue)
	}
}

func (s *sample) begin(first sample) { s.due, s.long = first.due, first.long }
