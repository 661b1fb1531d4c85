package pipe

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync/atomic"

	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// Options bound what a Reader holds in memory. The zero value is ready to use.
type Options struct {
	MaxLine   int    // bytes of a line without its newline; longer lines are left out and counted; 0: 64 KiB
	BatchSize int    // bytes of a batch; raised until the longest line fits; 0: 256 KiB
	Batches   int    // batches the consumer may hold at once; 0: 8
	Ended     func() // called once when standard input has ended; may be nil
}

// Reader returns the lines of a pipe as they arrive. One goroutine calls Read. Any
// goroutine may call the other methods.
type Reader struct {
	pipe    *Pipe
	ended   func()
	size    int
	maxLine int
	pool    *lines.Pool
	first   bool
	over    atomic.Bool     // the end was reported
	stopped context.Context // done once Stop was called
	stop    context.CancelFunc
}

// NewReader returns a reader of a pipe, which continues where the previous reader
// stopped. NewReader starts no goroutine and leaves the pipe alone until the first
// Read, because another reader may still be reading.
func NewReader(p *Pipe, o Options) *Reader {
	if o.Ended == nil {
		o.Ended = func() {}
	}
	maxLine := cmp.Or(max(o.MaxLine, 0), 64<<10)
	size := max(cmp.Or(max(o.BatchSize, 0), 256<<10), maxLine+1)
	pool := lines.NewPool(cmp.Or(max(o.Batches, 0), 8))
	r := &Reader{pipe: p, ended: o.Ended, size: size, maxLine: maxLine, pool: pool, first: true}
	r.stopped, r.stop = context.WithCancel(context.Background())
	return r
}

// Read returns the next lines and blocks until there are some. The batches have no End,
// because a pipe cannot be read again. After Stop the error is io.EOF. A
// *files.FileError means that the pipe cannot be read any further. Otherwise the error
// is that of ctx.
func (r *Reader) Read(ctx context.Context) (*lines.Batch, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.stopped, cancel)()
	var err error
	if b := r.pool.Take(ctx.Done(), r.size); b != nil {
		err = r.fill(ctx, b)
		if len(b.Data) > 0 || b.Oversized > 0 {
			return b, nil // the next call gets the error again
		}
		b.Release()
	}
	switch {
	case r.stopped.Err() != nil:
		return nil, io.EOF
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, r.end(ctx, err)
}

func (r *Reader) fill(ctx context.Context, b *lines.Batch) (err error) {
	p := r.pipe
	p.begin()
	p.cut.Source, p.cut.Eager, p.cut.MaxLine = waiting{ctx, p.source}, true, r.maxLine
	b.Data, err = p.cut.Next(b.Buffer)
	if ctx.Err() != nil {
		p.cut.Resume()
	}
	b.Path, b.File, b.First, b.End, b.Head = p.path, 0, r.first, 0, nil
	b.Oversized, p.cut.Oversized = p.cut.Oversized, 0
	r.first = r.first && len(b.Data) == 0
	return err
}

// end reports the end of the pipe and then waits for ctx, so that the rest of the
// process keeps running.
func (r *Reader) end(ctx context.Context, err error) error {
	over := r.over.Swap(true)
	switch {
	case over:
		<-ctx.Done()
		if r.stopped.Err() != nil {
			return io.EOF
		}
		return ctx.Err()
	case errors.Is(err, io.EOF):
		r.ended()
		return r.end(ctx, err)
	}
	return &files.FileError{Path: r.pipe.path, Err: err}
}

// Ended reports whether no more lines come: standard input has ended, or the pipe cannot be
// read.
func (r *Reader) Ended() bool { return r.over.Load() }

// Stop makes Read return io.EOF. Bytes that arrive afterwards stay in the pipe.
func (r *Reader) Stop() { r.stop() }

// Close calls Stop.
func (r *Reader) Close() error {
	r.stop()
	return nil
}

// waiting is a pipe whose reads end with a context.
type waiting struct {
	ctx  context.Context
	pipe *files.Pipe
}

func (w waiting) Read(b []byte) (int, error) { return w.pipe.ReadContext(w.ctx, b) }
