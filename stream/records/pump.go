package records

import (
	"context"
	"errors"
	"io"
)

// Pumped is a batch, or why there is none.
type Pumped struct {
	Batch *Batch
	Err   error
}

// Pump turns a source's blocking Read into a channel, by a goroutine of its own. An
// error that is not about one file is the last; io.EOF, and what comes of the end of
// ctx, only end it. The channel must be read until it is closed, which it is once
// Read has seen the end of ctx.
func Pump(ctx context.Context, source interface {
	Read(ctx context.Context) (*Batch, error)
}) <-chan Pumped {
	out := make(chan Pumped)
	go func() {
		defer close(out)
		for {
			b, err := source.Read(ctx)
			if err == nil || AboutOneFile(err) {
				out <- Pumped{b, err}
				continue
			}
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				out <- Pumped{Err: err}
			}
			return
		}
	}()
	return out
}
