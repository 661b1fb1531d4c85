package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var errSend = errors.New("no answer")

func TestDeliverPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pauses []time.Duration
		r := Retry{First: time.Second, Most: 5 * time.Second, Report: func(err error, again time.Duration) {
			if !errors.Is(err, errSend) {
				t.Errorf("reported %v", err)
			}
			pauses = append(pauses, again)
		}}
		start, tries := time.Now(), 0
		err := (&sink{retry: r}).deliver(t.Context(), "send", func() error {
			if tries++; tries < 6 {
				return errSend
			}
			return nil
		})
		want := []time.Duration{1e9, 2e9, 4e9, 5e9, 5e9}
		if err != nil || !slices.Equal(pauses, want) || time.Since(start) != 17*time.Second {
			t.Errorf("%v, pauses %v after %v, want %v", err, pauses, time.Since(start), want)
		}
	})
}

// The zero Retry never waits for longer than ten seconds, however many failures there
// were.
func TestDeliverDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		tries := 0
		err := new(sink).deliver(ctx, "send", func() error { tries++; return errSend })
		if !errors.Is(err, errSend) || !errors.Is(err, context.DeadlineExceeded) || tries < 360 || tries > 370 {
			t.Errorf("%v after %d tries", err, tries)
		}
	})
}

func TestDeliverGivesUp(t *testing.T) {
	over, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("shutting down")
	cancel(stop)
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want []error
	}{
		{"context over", over, errSend, []error{errSend, stop}},
		{"over, but sent", over, nil, []error{nil}},
		{"sink closed", context.Background(), fmt.Errorf("write: %w", os.ErrClosed), []error{os.ErrClosed}},
		{"nobody reads", context.Background(), &os.PathError{Op: "write", Err: syscall.EPIPE}, []error{syscall.EPIPE}},
		{"reader closed", context.Background(), io.ErrClosedPipe, []error{io.ErrClosedPipe}},
		{"closed and failed", over, os.ErrClosed, []error{os.ErrClosed}},
	} {
		tries := 0
		err := new(sink).deliver(c.ctx, "send", func() error { tries++; return c.err })
		for _, want := range c.want {
			if !errors.Is(err, want) || tries != 1 {
				t.Errorf("%s: %v after %d tries, want %v after one", c.name, err, tries, want)
			}
		}
	}
}
