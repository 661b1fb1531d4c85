package file

import (
	"bytes"
	"errors"
	"os"
	"syscall"

	"dustbuster/operators/rule/event"
)

// bufferSize is the number of bytes written at once. Longer lines are written whole.
const bufferSize = 256 << 10

// appender is a sink that appends lines to a file.
type appender struct {
	sink
	path string
	fs   fileSystem
	out  output
}

func (a *appender) open() (err error) {
	a.out, err = openOutput(a.fs, a.path)
	return err
}

// reopen opens the path again. lost is an error if earlier lines may not be on the disk.
func (a *appender) reopen() (lost, err error) {
	old := a.out
	if err := a.open(); err != nil {
		a.out = old
		return nil, err
	}
	owed, lost := old.abandon()
	a.out.owe(owed) // perhaps the old disk is full
	return lost, nil
}

func (a *appender) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	err := a.out.finish()
	if err == nil {
		err = a.out.sync()
	}
	return errors.Join(err, a.out.file.Close())
}

// output is a file to which lines are appended. If a full disk took only a part of a line, the rest
// is owed: it is written first, so that a reader following the file never keeps half a line.
type output struct {
	file    handle
	size    int64
	regular bool
	line    []byte // a partly written line
	part    int    // bytes of line already written
}

// openOutput opens a file for appending. If it does not end in a newline, one is owed.
func openOutput(files fileSystem, path string) (output, error) {
	f, err := files.open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return output{}, err
	}
	out := output{file: f}
	is, err := f.Stat()
	if err == nil && is.Mode().IsRegular() {
		out.regular, out.size = true, is.Size()
		err = out.lookAtEnd()
	}
	if err != nil {
		return output{}, errors.Join(err, f.Close())
	}
	return out, nil
}

func (o *output) lookAtEnd() error {
	if o.size == 0 {
		return nil
	}
	var last [1]byte
	if _, err := o.file.ReadAt(last[:], o.size-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		o.owe([]byte("\n"))
	}
	return nil
}

// owe adds text to be written before anything else.
func (o *output) owe(text []byte) { o.line = append(o.line[o.part:], text...); o.part = 0 }

// finish writes the text owed.
func (o *output) finish() error {
	if o.part == len(o.line) {
		return nil
	}
	n, err := o.file.Write(o.line[o.part:])
	o.size += int64(n)
	o.part += n
	return err
}

// write writes a chunk of so many lines, and returns the number of lines written
// completely or in part.
func (o *output) write(c *chunk, lines int) (int, error) {
	n, err := o.file.Write(c.text)
	o.size += int64(n)
	if err == nil {
		return lines, nil
	}
	whole, start := 0, 0
	for whole < lines && c.ends[whole] <= n {
		start = c.ends[whole]
		whole++
	}
	if start == n {
		return whole, err
	}
	o.line, o.part = append([]byte{}, c.text[start:c.ends[whole]]...), n-start
	return whole + 1, err
}

// sync makes the written bytes durable, if the file is a regular file.
func (o *output) sync() error {
	if !o.regular {
		return nil
	}
	if err := o.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// abandon closes the file. It returns the line of which the file holds only a part, and
// an error if earlier lines may not be on the disk.
func (o *output) abandon() (owed []byte, err error) {
	if o.finish() != nil {
		owed = bytes.TrimLeft(o.line, "\n")
	}
	return owed, errors.Join(o.sync(), o.file.Close())
}

// chunk holds lines to be written at once.
type chunk struct {
	text []byte
	ends []int // ends of the lines in text
}

// fill takes events until their lines exceed room, but at least one event, and returns
// the number taken.
func (c *chunk) fill(events []event.Event, room int64) (int, error) {
	c.text, c.ends = c.text[:0], c.ends[:0]
	for i := range events {
		longer, err := event.Append(c.text, &events[i])
		if err != nil {
			return 0, err
		}
		if i > 0 && int64(len(longer)) > room {
			break
		}
		c.text = longer
		c.ends = append(c.ends, len(longer))
	}
	return len(c.ends), nil
}
