package records

import (
	"context"
	"errors"
	"io"

	"dustbuster/operators/window/evidence"
)

// Record is an observation of a site.
type Record struct {
	Site string
	evidence.Observation
}

// Batch holds the records of some lines of one file. The receiver owns the batch until
// Release. The zero Batch is empty and belongs to no pool.
type Batch struct {
	Path    string
	File    uint64 // number of the file in the source
	End     int64  // bytes of the file up to the end of the lines, if the source sets Batch.End; 0 if the last line must be read again
	Passed  int64  // as End, also if only End is 0 because the last line, though whole, could not be read
	Bytes   int64  // bytes of the lines, newlines included
	Format  string // the name of the file's format
	Records []Record
	Counts  Counts
	Further []string // formats detected in the middle of the file, as told to Options.Detected
	Silent  []string // sites without a record for so long that their state is dropped, before the records are folded

	Forgotten int64 // newest time of a record that has lost its clients, since they do not compare with those of this program; 0: none

	text     []byte      // backing store of the records' URLs
	free     chan *Batch // of the pool; nil: Release leaves the batch to the garbage collector
	released bool
}

// Add adds a record and copies its URL.
func (b *Batch) Add(site string, o *evidence.Observation) {
	b.Records = append(b.Records, Record{site, *o})
	b.Records[len(b.Records)-1].URL = b.keep(o.URL)
}

// Forgot notes that a record of a time has lost its clients.
func (b *Batch) Forgot(time int64) { b.Forgotten = max(b.Forgotten, time, 1) }

// keep copies a URL. URLs kept earlier stay where they are when the store grows.
func (b *Batch) keep(url []byte) []byte {
	if cap(b.text)-len(b.text) < len(url) {
		b.text = make([]byte, 0, max(2*cap(b.text), 64<<10, len(url)))
	}
	n := len(b.text)
	b.text = append(b.text, url...)
	return b.text[n:len(b.text):len(b.text)]
}

// Release gives the batch back for reuse. Release panics if it is called twice.
func (b *Batch) Release() {
	if b.released {
		panic("records: batch released twice")
	}
	b.released = true
	if b.free != nil {
		b.free <- b
	}
}

// Pool is a fixed number of reused batches.
type Pool struct{ free chan *Batch }

// NewPool returns a pool of n empty batches.
func NewPool(n int) Pool {
	p := Pool{make(chan *Batch, n)}
	for range n {
		p.free <- &Batch{free: p.free, released: true}
	}
	return p
}

// Get waits for a free batch and empties the batch. The error is that of ctx.
func (p Pool) Get(ctx context.Context) (*Batch, error) {
	select {
	case b := <-p.free:
		*b = Batch{Records: b.Records[:0], text: b.text[:0], free: b.free}
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

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
