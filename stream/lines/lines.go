// Package lines is what sources of lines hand to whoever parses them: batches of
// whole lines in buffers that go round between two goroutines.
package lines

import (
	"bytes"
	"iter"
	"sync/atomic"
)

// Batch is some lines of one file. It and its bytes belong to whoever got it
// until Release, and may be handed from goroutine to goroutine.
type Batch struct {
	Path      string // the file
	File      uint64 // number of the file, or of its generation, among those of the source
	First     bool   // this is the first batch of the file: the place to tell its format
	Data      []byte // whole lines, each ending in '\n' but perhaps the file's last; empty where Oversized is all there is
	End       int64  // bytes of the file up to the end of Data, for sources that can go on from there
	Head      []byte // the lines that begin with '#' at the start of the file, where the first batch goes on after them
	Oversized int    // lines above the source's bound left out here or before, not yet counted in an earlier batch of the file

	Buffer []byte // the source's: Data lies in it

	free chan *Batch
	held atomic.Bool
}

// Lines yields the batch's lines without their newlines. A carriage return
// before the newline stays, and so does any other byte. The lines alias Data.
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

// Release gives the batch back to its source, which fills it anew: neither it
// nor its bytes may be touched afterwards. It never blocks, and may be called
// from any goroutine and after the source is closed. It panics on a batch that
// is not held.
func (b *Batch) Release() {
	if !b.held.CompareAndSwap(true, false) {
		panic("lines: batch released twice")
	}
	b.free <- b
}

// Pool is a fixed number of batches. A source takes one from Free, fills it,
// and hands it over with Hold.
type Pool struct{ Free chan *Batch }

// NewPool makes n batches without buffers.
func NewPool(n int) *Pool {
	p := &Pool{make(chan *Batch, n)}
	for range n {
		p.Free <- &Batch{free: p.Free}
	}
	return p
}

// Hold marks a batch as handed over, and returns it.
func (b *Batch) Hold() *Batch {
	b.held.Store(true)
	return b
}
