package file

import (
	"bytes"
	"errors"
	"os"
	"syscall"

	"dustbuster/sinks/event"
)

// bufferSize is what is written at once, but for lines that are longer.
const bufferSize = 256 << 10

// output is a file that lines are appended to. A line of which a full disk took
// a part is owed the rest, so that whoever follows the file never sees half.
type output struct {
	file    handle
	size    int64
	regular bool
	line    []byte // the line that the file has a part of
	part    int    // bytes of it that the file has
}

// openOutput opens a file for appending. A file that does not end in a newline
// is owed one.
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

// owe adds to what comes before all else.
func (o *output) owe(text []byte) { o.line = append(o.line[o.part:], text...); o.part = 0 }

// finish writes what is owed.
func (o *output) finish() error {
	if o.part == len(o.line) {
		return nil
	}
	n, err := o.file.Write(o.line[o.part:])
	o.size += int64(n)
	o.part += n
	return err
}

// write writes a chunk of so many lines, and returns how many of them the file
// has, or has begun.
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

// sync makes durable what was written, where that means something.
func (o *output) sync() error {
	if !o.regular {
		return nil
	}
	if err := o.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// abandon closes the file. It returns the line that the file has only a part of,
// and an error if what was written before may not be on the disk.
func (o *output) abandon() (owed []byte, err error) {
	if o.finish() != nil {
		owed = bytes.TrimLeft(o.line, "\n")
	}
	return owed, errors.Join(o.sync(), o.file.Close())
}

// chunk is some lines to be written at once.
type chunk struct {
	text []byte
	ends []int // of the lines, in text
}

// fill takes events until their lines are longer than room, the first whatever
// its length, and returns how many it took.
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
