package records

import (
	"context"
	"errors"
	"io"
)

// Pumped is a batch or an error.
type Pumped struct {
	Batch *Batch
	Err   error
}

// Pump runs a source's blocking Read in a goroutine and sends the results to a channel.
// An error that is not about one file is the last result. Io.EOF, and the error of an
// ended ctx, only close the channel. The caller must receive until the channel is
// closed. The channel is closed once Read has returned after the end of ctx.
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
