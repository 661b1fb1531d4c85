package lines

import (
	"bytes"
	"io"
)

// Splitter cuts a stream into buffers of whole lines. Between two buffers a Splitter
// holds one open line of at most MaxLine bytes. No part of a longer line is held.
type Splitter struct {
	Source    io.Reader
	MaxLine   int
	Eager     bool // return lines as soon as they arrive, instead of filling the buffer
	Returns   bool // carriage returns end the lines of a source whose first bytes have no newline
	Oversized int  // lines left out; read and reset by the caller

	returns  bool   // the source is one
	read     int64  // bytes of Source
	open     []byte // beginning of the line at which the last buffer ended
	skipping bool   // inside a line above MaxLine; bytes are dropped up to the next newline
	err      error  // error of Source; sticky
}

// Next fills buf and returns the whole lines in buf, which are a prefix of buf. The length of
// buf must be at least MaxLine+1. The error, io.EOF or another error of Source, may come with
// the last lines. At io.EOF a last line without newline is returned too. At any other error it
// is torn and held back, because a line cut inside a number would still look valid.
func (s *Splitter) Next(buf []byte) ([]byte, error) {
	for s.err == nil {
		known := copy(buf, s.open)
		var n int
		if s.Eager {
			n, s.err = s.Source.Read(buf[known:])
		} else {
			n, s.err = fill(s.Source, buf[known:])
		}
		s.breakLines(buf[known : known+n])
		s.read += int64(n)
		if lines := s.split(buf[:known+n]); len(lines) > 0 {
			return lines, s.err
		}
	}
	return nil, s.err
}

// breakLines makes newlines of the carriage returns of a source without newlines.
func (s *Splitter) breakLines(more []byte) {
	if s.Returns && s.read == 0 {
		end := bytes.IndexByte(more, '\r')
		s.returns = end >= 0 && end+1 < len(more) && bytes.IndexByte(more, '\n') < 0
	}
	for i := 0; s.returns && i < len(more); i++ {
		if more[i] == '\r' {
			more[i] = '\n'
		}
	}
}

// End returns the bytes of Source up to the end of the lines that Next has returned, or 0 within a
// line above MaxLine.
func (s *Splitter) End() int64 {
	if s.skipping {
		return 0
	}
	return s.read - int64(len(s.open))
}

// Resume clears the error of the source, so that Next continues with the open line.
func (s *Splitter) Resume() { s.err = nil }

// split moves the whole lines within the bound to the front of data, returns these
// lines and keeps the open line at the end. Instead of scanning each line, split
// searches backwards from the furthest position at which the next line may end: all
// bytes before the newline found there are within the bound.
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

// skip returns the bytes after the next newline and notes whether there is a newline.
func (s *Splitter) skip(data []byte) []byte {
	end := bytes.IndexByte(data, '\n')
	s.skipping = end < 0
	if s.skipping {
		return nil
	}
	return data[end+1:]
}

// join appends more, which lies behind lines in the same array. If nothing was left out
// between the two slices, as is usual, nothing is moved.
func join(lines, more []byte) []byte {
	end := len(lines) + len(more)
	if len(more) > 0 && cap(lines) >= end && &lines[:end][len(lines)] == &more[0] {
		return lines[:end]
	}
	return append(lines, more...)
}

// fill reads until buf is full or the source ends. Unlike io.ReadFull, fill returns the
// source's error unchanged: a truncated gzip file reports io.ErrUnexpectedEOF, which
// must not be mistaken for a short last buffer.
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

// maxIdleReads is the number of consecutive reads that may return no bytes, as in
// bufio.
const maxIdleReads = 100
