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

// Retry says how often what failed is tried again. The zero Retry is good.
type Retry struct {
	First  time.Duration                        // pause after the first failure, doubled after each; 0: 100 ms
	Most   time.Duration                        // longest pause; 0: 10 s
	Report func(err error, again time.Duration) // told of each failure and the pause that follows, from within the call that delivers, so it must not call the sink; nil: nobody is
}

// Pauses of the zero Retry.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
)

// Deliver calls send until it succeeds, at least once. It gives up when ctx
// ends, and at once when there is nobody left to deliver to: the sink or the
// other end of a pipe is closed. Its error is then send's last, and the cause of
// the context's end.
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

// gone tells that trying again is of no use.
func gone(err error) bool {
	return errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

func given(ctx context.Context, err error) error {
	return fmt.Errorf("%w; given up: %w", err, context.Cause(ctx))
}
