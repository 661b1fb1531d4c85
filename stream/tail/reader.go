package tail

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"dustbuster/stream/lines"
)

// Reader follows logs. Read may be called from several goroutines; the batches
// of one generation come in order. The other methods may be called from any
// goroutine at any time.
type Reader struct {
	follower *follower
	start    sync.Once
	end      sync.Once
	quit     chan struct{} // closed by Stop
	quitting sync.Once
	caughtUp chan struct{}
	reached  sync.Once
	done     chan struct{} // closed when the goroutine is gone
}

// Open prepares to follow logs, going on from the positions of an earlier
// Reader, if there are any. It opens no file and starts no goroutine; the first
// Read does. A path need not exist yet. The error is about a pattern that is
// none.
func Open(o Options, from []Position) (*Reader, error) {
	for _, path := range o.Paths {
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, fmt.Errorf("follow %q: %w", path, err)
		}
	}
	r := &Reader{
		follower: newFollower(o.withDefaults(), from),
		quit:     make(chan struct{}),
		caughtUp: make(chan struct{}),
		done:     make(chan struct{}),
	}
	return r, nil
}

// Read returns the next lines and blocks until there are some. The caller must
// Release the batch; one that holds Options.Batches of them waits here until it
// gives one back. File of a batch is the number of its generation, unique among
// those of this Reader. The batches of a generation are in order, and those of
// an older generation of a path come before those of a newer one, as far as its
// lines are there yet. The error is that of ctx, ErrClosed, or, after Stop, io.EOF.
func (r *Reader) Read(ctx context.Context) (*lines.Batch, error) {
	f := r.follower
	r.start.Do(func() { go func() { defer close(r.done); f.run() }() })
	for {
		select {
		case <-f.stop:
			return nil, ErrClosed
		case <-r.quit:
			return nil, io.EOF
		default:
		}
		if err := ctx.Err(); err != nil {
			return nil, err // also when a batch is ready: a busy reader must end too
		}
		select {
		case <-f.stop:
			return nil, ErrClosed
		case <-r.quit:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		case b := <-f.out:
			if b != nil {
				return b, nil
			}
			r.reached.Do(func() { close(r.caughtUp) })
		}
	}
}

// Stop has Read end with io.EOF. What it has not returned is read again from the
// positions.
func (r *Reader) Stop() { r.quitting.Do(func() { close(r.quit) }) }

// CaughtUp is closed once Read has returned all that was there when the reader
// started, and has been called once more.
func (r *Reader) CaughtUp() <-chan struct{} { return r.caughtUp }

// Positions lists the generations known, for a checkpoint. The consumer says
// how far it has dealt with them: for a lines.Batch.File the Batch.End of the
// last batch dealt with. What it has said once it need not say again, and what
// it has not dealt with stays as it was in the positions the Reader began with.
// Generations that are finished, dealt with and no longer on disk are left out,
// so that the list stays as short as the list of files.
func (r *Reader) Positions(end map[uint64]int64) []Position {
	return slices.Concat(r.follower.registry.positions(end), r.follower.foreign)
}

// Stats counts what happened since Open.
func (r *Reader) Stats() Stats {
	f := r.follower
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	return f.registry.stats
}

// Close ends the reading and waits for the Reader's goroutines. Batches held by
// the consumer stay valid, and Positions may still be called.
func (r *Reader) Close() error {
	r.end.Do(func() { close(r.follower.stop) })
	r.start.Do(func() { close(r.done) }) // never started: nothing to wait for
	<-r.done
	return nil
}
