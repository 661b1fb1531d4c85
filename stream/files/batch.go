package files

import (
	"bytes"
	"iter"
	"sync/atomic"
)

// Batch is some lines of one file. It and its bytes belong to whoever got it
// from Read until Release, and may be handed from goroutine to goroutine.
type Batch struct {
	Path      string // the file, as Expand names it
	File      int    // its place in Reader.Files
	First     bool   // this is the first batch of the file: the place to tell its format
	Data      []byte // whole lines, each ending in '\n' but perhaps the file's last; empty where Oversized is all there is
	Oversized int    // lines above Options.MaxLine left out here or before, not yet counted in an earlier batch of the file

	buf  []byte
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

// Release gives the batch back to its Reader, which fills it anew: neither it
// nor its bytes may be touched afterwards. It never blocks, may be called from
// any goroutine and also after Close. It panics on a batch already released.
func (b *Batch) Release() {
	if !b.held.CompareAndSwap(true, false) {
		panic("files: batch released twice")
	}
	b.free <- b
}
