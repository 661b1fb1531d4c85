// Package file writes rules and events for other programs on the machine. [Rules] keeps a file that
// always holds one complete list. [Events] appends to a file and rotates it. [Stream] writes both
// to standard output. [Lines] is a file of other lines, each tried once.
//
// Each call returns when its data are on the disk. A failed call is repeated with
// growing pauses until the call succeeds or its context ends. The caller waits
// meanwhile, so no data are dropped, and a sink holds no data except a buffer of 256
// KiB. After a crash, or after an error returned, the same data may be written again:
// delivery is at least once.
//
// Files are made with mode 0644 less the umask, and the files of Lines with 0600. The
// folders must exist.
package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// Retry says how often a failed call is repeated. The zero Retry is useful.
type Retry struct {
	First  time.Duration                        // pause after the first failure, doubled after each further failure; 0: 100 ms
	Most   time.Duration                        // longest pause; 0: 10 s
	Report func(err error, again time.Duration) // called with each failure and the following pause, from within the delivering call, so it must not call the sink; may be nil
}

// Pauses of the zero Retry.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
)

// sink does one thing at a time until it is closed.
type sink struct {
	retry Retry

	mu     sync.Mutex
	closed bool
}

// do calls f, unless the sink is closed.
func (s *sink) do(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return os.ErrClosed
	}
	return f()
}

// Close waits for a call in progress. Later calls fail.
func (s *sink) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// deliver calls send until it succeeds, at least once. It gives up when ctx ends, and at once
// if the sink or the other end of a pipe is closed. The error is then send's last error,
// together with the cause of the context's end. what says what is done.
func (s *sink) deliver(ctx context.Context, what string, send func() error) error {
	pause, most := cmp.Or(s.retry.First, firstPause), cmp.Or(s.retry.Most, mostPause)
	for ; ; pause *= 2 {
		err := s.do(send)
		if err == nil {
			return nil
		}
		if err = fmt.Errorf("%s: %w", what, err); gone(err) {
			return err
		}
		if ctx.Err() != nil {
			return given(ctx, err)
		}
		pause = min(pause, most)
		if s.retry.Report != nil {
			s.retry.Report(err, pause)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return given(ctx, err)
		}
	}
}

// gone reports whether a repetition is useless.
func gone(err error) bool {
	return errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

func given(ctx context.Context, err error) error {
	return fmt.Errorf("%w; given up: %w", err, context.Cause(ctx))
}
