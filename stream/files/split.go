package files

import (
	"bytes"
	"io"
)

// Splitter cuts a stream into buffers of whole lines. It holds one open line
// of at most MaxLine bytes between two buffers, and nothing of a longer one.
type Splitter struct {
	Source    io.Reader
	MaxLine   int
	Eager     bool // lines are handed out as soon as they have come; else a buffer is filled
	Oversized int  // lines left out; the caller reads it and sets it back

	open     []byte // the line that the last buffer ended in, as far as it is known
	skipping bool   // in a line above MaxLine: all up to the next newline goes
	err      error  // of Source; sticky
}

// Next fills buf, which holds at least MaxLine+1 bytes, and returns the whole
// lines in it, a prefix of buf. The error, io.EOF or another of the source,
// may come with the last lines. At io.EOF a last line without newline is a
// line; at any other error it is torn and kept back, because a line cut inside a
// number would still look like a good one.
func (s *Splitter) Next(buf []byte) ([]byte, error) {
	for s.err == nil {
		known := copy(buf, s.open)
		var n int
		if s.Eager {
			n, s.err = s.Source.Read(buf[known:])
		} else {
			n, s.err = fill(s.Source, buf[known:])
		}
		if lines := s.split(buf[:known+n]); len(lines) > 0 {
			return lines, s.err
		}
	}
	return nil, s.err
}

// Resume has the splitter go on after an error of its source, with the line that was
// open.
func (s *Splitter) Resume() { s.err = nil }

// split moves the whole lines within the bound to the front of data, returns
// them, and keeps the open line at the end. Instead of looking at each line it
// looks backwards from the furthest place where a line that begins here may
// end: all before the newline found there is within the bound.
func (s *Splitter) split(data []byte) []byte {
	rest := data
	if s.skipping {
		rest = s.skip(rest)
	}
	from := len(data) - len(rest)
	lines := data[from:from]
	for len(rest) > 0 {
		reach := min(len(rest), s.MaxLine+1)
		if end := bytes.LastIndexByte(rest[:reach], '\n') + 1; end > 0 {
			lines = join(lines, rest[:end])
			rest = rest[end:]
			continue
		}
		if len(rest) <= s.MaxLine {
			break
		}
		s.Oversized++
		rest = s.skip(rest[reach:])
	}
	if s.err == io.EOF {
		lines = join(lines, rest)
		rest = nil
	}
	s.open = append(s.open[:0], rest...)
	return lines
}

// skip returns what follows the next newline, and notes whether there is one.
func (s *Splitter) skip(data []byte) []byte {
	end := bytes.IndexByte(data, '\n')
	s.skipping = end < 0
	if s.skipping {
		return nil
	}
	return data[end+1:]
}

// join appends more, which lies behind lines in the same array. Where nothing
// was left out between the two, which is nearly always, nothing moves.
func join(lines, more []byte) []byte {
	end := len(lines) + len(more)
	if len(more) > 0 && cap(lines) >= end && &lines[:end][len(lines)] == &more[0] {
		return lines[:end]
	}
	return append(lines, more...)
}

// fill reads until buf is full or the source ends. Unlike io.ReadFull it
// leaves the source's error as it is: a truncated gzip file reports
// io.ErrUnexpectedEOF, which must not be taken for a short last buffer.
func fill(source io.Reader, buf []byte) (int, error) {
	n, idle := 0, 0
	for n < len(buf) {
		m, err := source.Read(buf[n:])
		n += m
		if err != nil {
			return n, err
		}
		if idle++; m > 0 {
			idle = 0
		}
		if idle >= maxIdleReads {
			return n, io.ErrNoProgress
		}
	}
	return n, nil
}

// maxIdleReads is how many reads in a row may bring nothing, as in bufio.
const maxIdleReads = 100
