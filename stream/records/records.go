// Package records turns log lines into observations, one core ahead of the consumer
// that folds the observations.
//
//	files or tail ──lines──> parse, admit (a goroutine) ──batches──> Read
//
// The format of a file is named, or detected from its first lines. The same holds for
// the wrapper that other programs put around the lines. One run, and one file, may
// contain several formats. The last lines that no parser could read are kept. Now and
// then the reader tries to detect their format, and reads the lines again once the
// format is known. Until then a batch that ends in such a line has no End, so that the
// lines are read again after a restart. A line that is not an observation is counted by
// reason. Batches are reused, so memory is bounded and a line costs no allocation.
package records

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// Options say how lines are read.
type Options struct {
	Format  string         // a format of wrap.New, or a wrapper; the part not named is detected from the first lines
	Proxies client.Proxies // whose word about clients counts
	Admit   admit.Options
	Hosts   map[string]string // by path: the host of lines that name none
	Live    bool              // files grow: if the format of a file is unknown, detection is tried again with later batches

	// DeadLetters says that Malformed keeps its lines, so that unreadable lines count as
	// processed. Otherwise a batch that ends in unreadable lines has no End.
	DeadLetters bool

	// Found is called when the format of a path is known first, or has changed with a new
	// file. Detected is called when a further format is detected in the middle of a file.
	// Unreadable is called when most of the last lines of a file cannot be read, and
	// with nil when they can be read again. All are called from the parsing goroutine.
	// All may be nil.
	Found      func(path, format string)
	Detected   func(path, format string)
	Unreadable func(path string, err *UnreadableError)

	// Malformed is called with each line that is not in the format of its file, and with all
	// lines of files of no known format, each valid only during the call, from the parsing
	// goroutine. May be nil.
	Malformed func(path string, line []byte, err error)

	// Agentless is called once for each format whose records name clients but no user
	// agents: clients are then distinguished by address only. Agentless is called from
	// the parsing goroutine. May be nil.
	Agentless func(path, format string)

	// Team reads lines beside the parsing goroutine. The records that a team folds are counted in
	// batches, but are not in them. Team is for finished logs whose order does not matter; nil: none.
	Team *Team
}

// Source returns lines, as files.Reader and tail.Reader do. A *files.FileError of Read
// is about one file, and reading continues after the error.
type Source interface {
	Read(ctx context.Context) (*lines.Batch, error)
	Close() error
}

// Reader reads the records in a source's lines. One goroutine calls Read.
type Reader struct {
	o        Options
	source   Source
	gate     *admit.Gate
	wrapper  string           // the wrapper named by Options.Format
	named    bool             // Options.Format also names the format
	files    map[string]*file // by path; the most recent files
	file     *file            // the present file
	pending  []*task          // batches given to the team, in their order
	blank    *file            // stands for files whose lines are all blank
	detected []string         // formats detected since the last batch
	why      error            // the error of the last line that could not be read
	hit      weblog.Hit
	unfolder wrap.Unfolder
	ward     ward

	agentless map[string]bool // formats reported to Options.Agentless

	pool   Pool
	out    chan Pumped
	start  sync.Once
	stop   context.CancelFunc
	done   chan struct{}
	closed bool
}

// DetectLines is the number of first lines used to detect the format of a file. The
// number suffices to get past the unusual lines at the start of a log (self-tests, a
// scanner's visit), and the lines mostly fit in the first batch.
const DetectLines = 512

const (
	batches   = 4    // batches that may be ready or held at once; if all are held, Read blocks
	manyPaths = 256  // number of paths whose formats are remembered
	mostPaths = 4096 // the same, including paths whose formats can be read only at the start of the file
)

// New returns a reader that owns its source. New starts no goroutine. The error is that of
// wrap.Check or admit.New.
func New(source Source, o Options) (*Reader, error) {
	r := &Reader{
		o: o, source: source, files: map[string]*file{}, agentless: map[string]bool{},
		ward: ward{files: map[string]health{}, facts: map[string]*facts{}},
		pool: NewPool(batches), out: make(chan Pumped), done: make(chan struct{}),
	}
	if o.Format != "" {
		if err := wrap.Check(o.Format); err != nil {
			return nil, err
		}
		wrapper, format := wrap.Cut(o.Format)
		r.wrapper, r.named = wrapper, format != ""
	}
	blank, err := wrap.New(weblog.Names()[0])
	if err != nil {
		return nil, err
	}
	r.blank = newFile("", blank)
	r.gate, err = admit.New(o.Admit)
	return r, err
}

// Read returns the next batch, which the caller must Release. A *files.FileError or
// *FormatError is about one file, and the caller may call Read again. After the last
// file the error is io.EOF, after Close files.ErrClosed. Reading ahead ends with the
// context of the first Read.
func (r *Reader) Read(ctx context.Context) (*Batch, error) {
	r.start.Do(func() {
		var reading context.Context
		reading, r.stop = context.WithCancel(ctx)
		go r.run(reading)
	})
	select {
	case next, ok := <-r.out:
		switch {
		case ok:
			return next.Batch, next.Err
		case r.closed:
			return nil, files.ErrClosed
		}
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Stop stops a source that can be stopped. Read then returns the batches read ahead,
// and then io.EOF.
func (r *Reader) Stop() {
	if s, ok := r.source.(interface{ Stop() }); ok {
		s.Stop()
	}
}

// Close ends the reading and waits for its goroutines.
func (r *Reader) Close() error {
	r.start.Do(func() { close(r.out); close(r.done); r.stop = func() {} })
	r.stop()
	r.closed = true
	err := r.source.Close()
	for range r.out { // the goroutine may be about to send
	}
	<-r.done
	return err
}

func (r *Reader) run(ctx context.Context) {
	defer close(r.done)
	defer close(r.out)
	parse := r.parse
	if r.o.Team != nil {
		parse = r.pass
	}
	for {
		batch, err := r.source.Read(ctx)
		if err == nil {
			batch.Unfold(&r.unfolder)
			err = parse(ctx, batch)
		} else {
			err = cmp.Or(r.takeUp(ctx, 0), err)
		}
		var one *files.FileError
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			_ = r.last(ctx)
			return
		case errors.As(err, &one):
			r.ward.fail(one.Path, one.Err)
		}
		r.out <- Pumped{Err: err}
		if one == nil {
			_ = r.takeUp(ctx, 0)
			return
		}
	}
}
