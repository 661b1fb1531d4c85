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

// Reader follows logs. Several goroutines may call Read. The batches of one generation
// are returned in order. Any goroutine may call the other methods at any time.
type Reader struct {
	follower *follower
	start    sync.Once
	stopped  context.Context // ends with Stop
	stop     context.CancelFunc
	caughtUp chan struct{}
	done     chan struct{} // closed when the goroutine has ended
}

// Open prepares to follow logs and resumes from the positions of an earlier Reader, if
// any. It opens no file and starts no goroutine; the first Read does. A path need not
// exist yet. The error reports a malformed pattern.
func Open(o Options, from []Position) (*Reader, error) {
	for _, path := range o.Paths {
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, fmt.Errorf("follow %q: %w", path, err)
		}
	}
	r := &Reader{follower: newFollower(o.withDefaults(), from), caughtUp: make(chan struct{}), done: make(chan struct{})}
	r.stopped, r.stop = context.WithCancel(context.Background())
	return r, nil
}

// Read returns the next lines and blocks until there are some. The caller must Release
// the batch. If the caller holds Options.Batches batches, Read blocks until one is
// released. The File of a batch is the number of its generation, unique within this
// Reader. Of a path, older generations come before newer ones, as far as their lines are
// there yet. The error is that of ctx, ErrClosed, or, after Stop, io.EOF.
func (r *Reader) Read(ctx context.Context) (*lines.Batch, error) {
	f := r.follower
	r.start.Do(func() { go func() { defer close(r.done); f.run() }() })
	for {
		switch { // even if a batch is ready, so that a busy reader ends too
		case f.ctx.Err() != nil:
			return nil, ErrClosed
		case r.stopped.Err() != nil:
			return nil, io.EOF
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		select {
		case <-f.ctx.Done():
		case <-r.stopped.Done():
		case <-ctx.Done():
		case b := <-f.out:
			if b != nil {
				return b, nil
			}
			close(r.caughtUp) // the backlog ends once
		}
	}
}

// Stop makes Read return io.EOF. Lines that Read has not returned are read again from
// the positions.
func (r *Reader) Stop() { r.stop() }

// CaughtUp returns a channel that is closed once Read has returned everything present
// at the start, and was called once more.
func (r *Reader) CaughtUp() <-chan struct{} { return r.caughtUp }

// Positions returns the positions of all known generations, for a checkpoint. The
// consumer reports its progress in end: for a lines.Batch.File, the Batch.End of the
// last batch processed. The consumer need not repeat a report. A generation without a
// report keeps the offset with which the Reader began. A generation that is finished,
// processed and no longer on disk is left out, so there are no more positions than files.
func (r *Reader) Positions(end map[uint64]int64) []Position {
	return slices.Concat(r.shown().positions(end), r.follower.foreign)
}

// Stats returns the counts since Open.
func (r *Reader) Stats() Stats { return r.shown().stats }

func (r *Reader) shown() *snapshot { return r.follower.shown.Load() }

// Close ends the reading and waits for the Reader's goroutines. Batches held by the
// consumer stay valid, and Positions may still be called.
func (r *Reader) Close() error {
	r.follower.close()
	r.start.Do(func() { close(r.done) }) // if never started, there is nothing to wait for
	<-r.done
	return nil
}
