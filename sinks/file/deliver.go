package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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

// Deliver calls send until send succeeds, at least once. Deliver gives up when ctx
// ends, and at once if the sink or the other end of a pipe is closed. The error is then
// send's last error, together with the cause of the context's end.
func Deliver(ctx context.Context, r Retry, send func(context.Context) error) error {
	pause, most := r.First, r.Most
	if pause <= 0 {
		pause = firstPause
	}
	if most <= 0 {
		most = mostPause
	}
	for ; ; pause *= 2 {
		err := send(ctx)
		if err == nil || gone(err) {
			return err
		}
		if ctx.Err() != nil {
			return given(ctx, err)
		}
		pause = min(pause, most)
		if r.Report != nil {
			r.Report(err, pause)
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
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
