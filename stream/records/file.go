package records

import (
	"bytes"
	"strings"

	"dustbuster/operators/wrap"
)

// file is what is known of the lines of one file.
type file struct {
	path    string
	parsers []*wrap.Parser // a line is read by the first that can; none: it is in no known format
	name    string         // of their formats
	last    lastLine       // what the last line came to, but for blank ones and a wrapper's own
	failed  sample         // the last lines that none of them can read
	others  sample         // the last lines in a wrapper that are in none of the formats
	learned bool           // a parser has been added, by which the samples are not read yet
	wait    int            // batches until lines in no known format are looked at again
	waited  int            // how many these were the last time
	health  health
	read    int // lines read since looks began
}

// lastLine is what a line came to.
type lastLine uint8

const (
	lineRead lastLine = iota
	lineMissed
	lineOther
)

func newFile(path string, parsers ...*wrap.Parser) *file {
	f := &file{path: path, failed: failedSample, others: otherSample}
	f.setParsers(parsers)
	return f
}

func (f *file) setParsers(parsers []*wrap.Parser) {
	f.parsers = parsers
	var names []string
	for _, p := range parsers {
		names = append(names, p.Name())
	}
	f.name = strings.Join(names, "+")
}

// maxParsers bounds the formats that are told one after the other. A further one takes
// the place of the last.
const maxParsers = 4

// add adds a parser.
func (f *file) add(p *wrap.Parser) {
	keep := min(len(f.parsers), maxParsers-1)
	f.setParsers(append(f.parsers[:keep:keep], p))
}

// open reports whether the beginning of a line is held.
func (f *file) open() bool {
	for _, p := range f.parsers {
		if p.Open() {
			return true
		}
	}
	return false
}

// stateful reports whether lines say how later ones are read.
func (f *file) stateful() bool {
	for _, p := range f.parsers {
		if p.Stateful() {
			return true
		}
	}
	return false
}

// sample is the last of the lines of which nothing could be made, with the times when
// they are looked at: when so many have come since the last look, and when so many
// stand in a row. Both numbers double with each look that comes to nothing, since what
// is foreign must not cost more than what is read, and start again when so many lines
// could be read that the next looks do not matter.
type sample struct {
	lines [][]byte // a ring, from next on the oldest first
	next  int
	bytes int
	fresh int // that have come since the last look
	row   int // that have come one after the other
	due   int // fresh ones at the next look
	long  int // in a row at the next look
}

// The first looks are early, so that a format that changes is told soon. In a wrapper
// other programs write, too: there it takes more lines.
var (
	failedSample = sample{due: 8, long: 64}
	otherSample  = sample{due: 128, long: 128}
)

// The bounds of a sample, and of the times between two looks. A look costs about two
// milliseconds, as much as reading some thousand lines.
const (
	sampleLines = 256
	sampleBytes = 256 << 10
	sampleLine  = 16 << 10
	mostDue     = 1 << 16
	calm        = 1 << 17 // lines read, after which looks begin anew
)

// add keeps a copy of a line, and tells how many of the last lines are to be looked at
// now. The line is in a row with the one before, or begins one.
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

// inOrder gives the lines, the oldest first.
func (s *sample) inOrder() [][]byte {
	return append(s.lines[s.next:len(s.lines):len(s.lines)], s.lines[:s.next]...)
}

// newest gives the last n lines, as far as they are kept.
func (s *sample) newest(n int) [][]byte {
	all := s.inOrder()
	return all[max(0, len(all)-n):]
}

// later puts the next look off, after one that came to nothing.
func (s *sample) later() {
	if s.row == s.long {
		s.long *= 2
	}
	if s.fresh >= s.due {
		s.fresh, s.due = 0, min(2*s.due, mostDue)
	}
}

// begin lets looks begin anew.
func (s *sample) begin(first sample) { s.due, s.long = first.due, first.long }
