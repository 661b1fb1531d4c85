// Package lines holds the parts that the sources of lines (files, tail, pipe) share:
// decompression of a stream (Unpack), cutting it into whole lines (Splitter), and the batches
// in which a source hands them to a parser on another goroutine (Batch).
package lines

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"sync/atomic"

	"dustbuster/operators/read/wrap"
)

// Batch holds some lines of one file. The receiver owns it and its bytes until Release, and may
// pass it from goroutine to goroutine. The zero Batch is held and belongs to no pool.
type Batch struct {
	Path      string // the file
	File      uint64 // number of the file, or of the generation, within the source
	First     bool   // this is the first batch of the file; the reader detects the format here
	Data      []byte // whole lines, each ending in '\n' except perhaps the last of the file; empty if the batch reports only Oversized
	End       int64  // bytes of the file up to the end of Data; set by sources that can resume
	Head      []byte // lines of the file before Data that begin with '#', and were not in the batches before
	Oversized int    // lines left out here or earlier because of the source's bound, not yet counted in an earlier batch of the file

	Buffer []byte // owned by the source; Data is a part of Buffer, or what Unfold has made of it

	free     chan *Batch // of the pool; nil: Release leaves the batch to the garbage collector
	released atomic.Bool
}

// Lines yields the batch's lines without their newlines. All other bytes stay,
// including a carriage return before the newline. The lines alias Data.
func (b *Batch) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := b.Data; len(rest) > 0; {
			line := rest
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				line, rest = rest[:end], rest[end+1:]
			} else {
				rest = nil
			}
			if !yield(line) {
				return
			}
		}
	}
}

// Unfold replaces the documents in a batch that begins with an object by their lines.
func (b *Batch) Unfold(u *wrap.Unfolder) {
	if len(b.Data) == 0 || b.Data[0] != '{' {
		return
	}
	if data, ok := u.Unfold(nil, b.Data); ok {
		b.Data = data
		b.Oversized += u.Left
		u.Left = 0
	}
}

// Release gives the batch back to its source, which reuses it and its bytes. The caller must
// not touch either afterwards. Release never blocks. Any goroutine may call it, also after the
// source is closed. It panics if the batch is not held.
func (b *Batch) Release() {
	if b.released.Swap(true) {
		panic("lines: batch released twice")
	}
	if b.free != nil {
		b.free <- b
	}
}

// Pool is a fixed number of batches. A source takes a batch, or receives one from Free and
// calls Hold, fills it and hands it over.
type Pool struct{ Free chan *Batch }

// NewPool returns a pool of n batches without buffers.
func NewPool(n int) *Pool {
	p := &Pool{make(chan *Batch, n)}
	for range n {
		p.Free <- &Batch{free: p.Free}
	}
	return p
}

// Take waits for a free batch and holds it. Take returns nil if done is closed first.
// Buffers of the given size are allocated at their first use, so a short log uses little
// memory.
func (p *Pool) Take(done <-chan struct{}, size int) *Batch {
	select {
	case <-done:
		return nil
	case b := <-p.Free:
		if b.Buffer == nil {
			b.Buffer = make([]byte, size)
		}
		return b.Hold()
	}
}

// Hold marks the batch as handed over and returns it.
func (b *Batch) Hold() *Batch {
	b.released.Store(false)
	return b
}

// Cause returns an error of the file system without its operation and path, for errors that
// name the path themselves. Other errors are returned unchanged.
func Cause(err error) error {
	if in := (*fs.PathError)(nil); errors.As(err, &in) {
		return in.Err
	}
	return err
}
