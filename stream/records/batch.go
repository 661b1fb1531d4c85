package records

import (
	"context"

	"dustbuster/operators/table"
)

// Batch is what some lines of one file say. It belongs to whoever got it until
// Release.
type Batch struct {
	Path    string
	File    uint64 // as the source counts them
	End     int64  // bytes of the file up to the end of the lines, where the source tells; 0 if the last goes on
	Bytes   int64  // of the lines, newlines included
	Format  string // the name of the file's format
	Records []Record
	Counts  Counts
	Silent  []string // sites of which nothing has come for so long that they are forgotten, before the records are folded

	text []byte // holds the records' URLs
	free chan *Batch
	held bool
}

// NewBatch returns a batch of no pool. It is held, and its Release leaves it to
// the garbage collector.
func NewBatch() *Batch { return &Batch{free: make(chan *Batch, 1), held: true} }

// Add adds a record, and copies its URL.
func (b *Batch) Add(site string, o *table.Observation) {
	b.Records = append(b.Records, Record{site, *o})
	b.Records[len(b.Records)-1].URL = b.keep(o.URL)
}

// keep copies a URL. Growing leaves what was kept where it is.
func (b *Batch) keep(url []byte) []byte {
	if cap(b.text)-len(b.text) < len(url) {
		b.text = make([]byte, 0, max(2*cap(b.text), 64<<10, len(url)))
	}
	n := len(b.text)
	b.text = append(b.text, url...)
	return b.text[n:len(b.text):len(b.text)]
}

// Release gives the batch back, to be filled anew. It panics on a batch that is
// not held.
func (b *Batch) Release() {
	if !b.held {
		panic("records: batch released twice")
	}
	b.held = false
	b.free <- b
}

// Pool is a number of batches that are used again and again.
type Pool struct{ free chan *Batch }

// NewPool returns a pool of n empty batches.
func NewPool(n int) Pool {
	p := Pool{make(chan *Batch, n)}
	for range n {
		p.free <- &Batch{free: p.free}
	}
	return p
}

// Get waits for a batch that nobody holds, and empties it. Its error is that of
// ctx.
func (p Pool) Get(ctx context.Context) (*Batch, error) {
	select {
	case b := <-p.free:
		*b = Batch{Records: b.Records[:0], text: b.text[:0], free: b.free, held: true}
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
