package file

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"

	"dustbuster/sinks/event"
)

// EventsOptions say how large files become and how many there are.
type EventsOptions struct {
	MaxBytes int64 // of a file, unless one line is longer; 0: any, somebody else rotates and calls Reopen
	Keep     int   // rotated files, FILE.1 the newest; 0: what was told before is removed
	Retry    Retry
}

// Events is a file that events are appended to, a line each. Emit belongs to one
// goroutine; the others may be called by any.
type Events struct {
	path  string
	retry Retry
	fs    fileSystem

	mu       sync.Mutex
	maxBytes int64
	keep     int
	closed   bool
	redo     bool // an Emit must write all of its events again
	out      output
}

// OpenEvents opens the file at a path, or makes it. If its last line has no end,
// as after a crash, the next Emit gives it one. Pipes and devices are written to
// and never rotated.
func OpenEvents(path string, o EventsOptions) (*Events, error) {
	return openEvents(path, o, disk{})
}

func openEvents(path string, o EventsOptions, files fileSystem) (*Events, error) {
	e := &Events{path: path, retry: o.Retry, fs: files, maxBytes: o.MaxBytes, keep: o.Keep}
	out, err := openOutput(files, path)
	if err != nil {
		return nil, fmt.Errorf("open events: %w", err)
	}
	e.out = out
	return e, nil
}

// SetLimits changes what the options said.
func (e *Events) SetLimits(maxBytes int64, keep int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.maxBytes, e.keep = maxBytes, keep
}

// Emit appends events in their order, and returns when they are on the disk. An
// error means that any number of them may not be.
func (e *Events) Emit(ctx context.Context, events []event.Event) error {
	written := 0
	return Deliver(ctx, e.retry, func(context.Context) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		if err := e.emit(events, &written); err != nil {
			return fmt.Errorf("write events to %s: %w", e.path, err)
		}
		return nil
	})
}

// emit writes those not yet written. It counts a line that was begun: the file
// owes its end.
func (e *Events) emit(events []event.Event, written *int) error {
	if e.closed {
		return os.ErrClosed
	}
	if e.redo {
		*written, e.redo = 0, false
	}
	if err := e.out.finish(); err != nil {
		return err
	}
	var c chunk
	for limited := e.maxBytes > 0 && e.out.regular; *written < len(events); {
		room := int64(math.MaxInt64)
		if limited {
			room = e.maxBytes - e.out.size
		}
		lines, err := c.fill(events[*written:], min(room, bufferSize))
		if err != nil {
			return err
		}
		if int64(len(c.text)) > room && e.out.size > 0 {
			limited, err = e.begin(written)
		} else {
			lines, err = e.out.write(&c, lines)
			*written += lines
		}
		if err != nil {
			return err
		}
	}
	return e.sync(written)
}

// begin begins a new file. If it cannot, the old one goes on, however long: a
// file that grows is better than events that are not told.
func (e *Events) begin(written *int) (rotated bool, err error) {
	if err := e.sync(written); err != nil {
		return false, err
	}
	if err := e.rotate(); err != nil {
		e.report(err)
		return false, nil
	}
	return true, nil
}

// sync makes durable what was written. When it cannot, nobody knows what is on
// the disk: all is written again.
func (e *Events) sync(written *int) error {
	err := e.out.sync()
	if err != nil {
		*written = 0
	}
	return err
}

// report tells of an error after which the work goes on.
func (e *Events) report(err error) {
	if e.retry.Report != nil {
		e.retry.Report(fmt.Errorf("rotate events %s: %w", e.path, err), 0)
	}
}

// Reopen opens the path anew, after somebody has renamed the file. On an error
// the old file is kept.
func (e *Events) Reopen() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return os.ErrClosed
	}
	out, err := openOutput(e.fs, e.path)
	if err != nil {
		return fmt.Errorf("reopen events: %w", err)
	}
	owed, err := e.out.abandon()
	out.owe(owed) // its disk is full, perhaps
	e.out, e.redo = out, err != nil
	return nil
}

// Close closes the file. An Emit that waits to try again gives up.
func (e *Events) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	err := e.out.finish()
	if err == nil {
		err = e.out.sync()
	}
	if err = errors.Join(err, e.out.file.Close()); err != nil {
		return fmt.Errorf("close events %s: %w", e.path, err)
	}
	return nil
}
