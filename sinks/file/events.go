package file

import (
	"context"
	"fmt"
	"math"

	"dustbuster/operators/rule/event"
)

// EventsOptions bound the size and the number of files.
type EventsOptions struct {
	MaxBytes int64 // of a file, unless one line is longer; 0: no bound, and another program rotates and calls Reopen
	Keep     int   // number of rotated files, FILE.1 the newest; 0: old events are removed
	Retry    Retry
}

// Events is a file to which events are appended, one line each. Only its owner and its group
// may read a new file, since events quote URLs. One goroutine calls
// Emit. Any goroutine may call the other methods.
type Events struct {
	appender
	maxBytes int64
	keep     int
	redo     bool // the Emit in progress must write all its events again
}

// OpenEvents opens or creates the file at a path. If the last line has no newline, as
// after a crash, the next Emit ends the line. Pipes and devices are written but never
// rotated.
func OpenEvents(path string, o EventsOptions) (*Events, error) {
	return openEvents(path, o, disk{perm: group})
}

func openEvents(path string, o EventsOptions, files fileSystem) (*Events, error) {
	e := &Events{appender: appender{sink: sink{retry: o.Retry}, path: path, fs: files}, maxBytes: o.MaxBytes, keep: o.Keep}
	if err := e.open(); err != nil {
		return nil, fmt.Errorf("open events: %w", err)
	}
	return e, nil
}

// SetLimits changes the options.
func (e *Events) SetLimits(maxBytes int64, keep int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.maxBytes, e.keep = maxBytes, keep
}

// Emit appends events in their order, and returns when the events are on the disk.
// After an error any number of the events may be missing.
func (e *Events) Emit(ctx context.Context, events []event.Event) error {
	written := 0
	return e.deliver(ctx, "write events to "+e.path, func() error { return e.emit(events, &written) })
}

// emit writes the events not yet written. A partly written line counts as written,
// because the output writes the rest before anything else.
func (e *Events) emit(events []event.Event, written *int) error {
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

// begin begins a new file. If this fails, writing continues in the old file beyond its
// bound, because an oversized file is better than lost events.
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

// sync makes the written lines durable. After an error the content of the disk is
// unknown, so all lines are written again.
func (e *Events) sync(written *int) error {
	err := e.out.sync()
	if err != nil {
		*written = 0
	}
	return err
}

// report reports an error that does not stop the work.
func (e *Events) report(err error) {
	if e.retry.Report != nil {
		e.retry.Report(fmt.Errorf("rotate events %s: %w", e.path, err), 0)
	}
}

// Reopen opens the path again, after another program has renamed the file. After an
// error the old file stays open.
func (e *Events) Reopen() error {
	return e.do(func() error {
		lost, err := e.reopen()
		if err != nil {
			return fmt.Errorf("reopen events: %w", err)
		}
		e.redo = lost != nil
		return nil
	})
}

// Close closes the file. An Emit that waits for its next attempt gives up.
func (e *Events) Close() error {
	if err := e.close(); err != nil {
		return fmt.Errorf("close events %s: %w", e.path, err)
	}
	return nil
}
