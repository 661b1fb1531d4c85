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
	end      sync.Once
	quit     chan struct{} // closed by Stop
	quitting sync.Once
	caughtUp chan struct{}
	reached  sync.Once
	done     chan struct{} // closed when the goroutine has ended
}

// Open prepares to follow logs and resumes from the positions of an earlier Reader, if
// any. Open opens no file and starts no goroutine; the first Read does. A path need not
// exist yet. The error reports a malformed pattern.
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

// Read returns the next lines and blocks until there are some. The caller must Release
// the batch. If the caller holds Options.Batches batches, Read blocks until one is
// released. The File of a batch is the number of its generation, unique within this
// Reader. The batches of a generation are in order. The batches of an older generation
// of a path come before those of a newer generation, as far as the older lines are
// there yet. The error is that of ctx, ErrClosed, or, after Stop, io.EOF.
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
			return nil, err // checked even if a batch is ready, so that a busy reader ends too
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

// Stop makes Read return io.EOF. Lines that Read has not returned are read again from
// the positions.
func (r *Reader) Stop() { r.quitting.Do(func() { close(r.quit) }) }

// CaughtUp returns a channel that is closed once Read has returned everything present
// at the start, and was called once more.
func (r *Reader) CaughtUp() <-chan struct{} { return r.caughtUp }

// Positions returns the positions of all known generations, for a checkpoint. The
// consumer reports its progress in end: for a lines.Batch.File, the Batch.End of the
// last batch processed. The consumer need not repeat a report. A generation without a
// report keeps the offset with which the Reader began. A generation that is finished,
// processed and no longer on disk is left out, so the list is no longer than the list
// of files.
func (r *Reader) Positions(end map[uint64]int64) []Position {
	return slices.Concat(r.follower.registry.positions(end), r.follower.foreign)
}

// Stats returns the counts since Open.
func (r *Reader) Stats() Stats {
	f := r.follower
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	return f.registry.stats
}

// Close ends the reading and waits for the Reader's goroutines. Batches held by the
// consumer stay valid, and Positions may still be called.
func (r *Reader) Close() error {
	r.end.Do(func() { close(r.follower.stop) })
	r.start.Do(func() { close(r.done) }) // if never started, there is nothing to wait for
	<-r.done
	return nil
}
