// Package records turns log files into observations, one core ahead of whoever
// folds them.
//
//	files.Reader ──lines──> parse, admit (a goroutine) ──batches──> Read
//
// The format of a file is named, or told from its first lines; several formats
// may come in one run. Whatever is not an observation is counted by reason.
// Batches are used again and again, so memory is bounded and a line costs no
// allocation.
package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"dustbuster/operators/admit"
	"dustbuster/operators/table"
	"dustbuster/operators/weblog"
	"dustbuster/stream/files"
)

// Options say how lines are read.
type Options struct {
	Format string // a name or a format string (weblog.New); empty: told from the first lines
	Admit  admit.Options
	Files  files.Options

	// Malformed is called with lines that are not of their file's format. The
	// line is valid during the call only. It is called from the parsing
	// goroutine; nil: nobody wants to know.
	Malformed func(path string, line []byte, err error)
}

// Record is an observation of a site.
type Record struct {
	Site string
	table.Observation
}

// Counts say what became of lines. Lines is the sum of all others.
type Counts struct {
	Lines     int
	Blank     int
	Oversized int                // longer than a line may be
	Unknown   int                // in a file of no known format
	Malformed int                // not of their file's format
	Reasons   [admit.Reasons]int // by what admission said, admit.Admitted included
}

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	c.Lines += d.Lines
	c.Blank += d.Blank
	c.Oversized += d.Oversized
	c.Unknown += d.Unknown
	c.Malformed += d.Malformed
	for i, n := range d.Reasons {
		c.Reasons[i] += n
	}
}

// Batch is what some lines of one file say. It belongs to whoever got it until
// Release.
type Batch struct {
	Path    string
	Format  string // the name of the file's format
	Records []Record
	Counts  Counts

	text []byte // holds the records' URLs
	free chan *Batch
}

// Release gives the batch back, to be filled anew.
func (b *Batch) Release() { b.free <- b }

// FormatError says that a file is in no known format.
type FormatError struct {
	Path string
	Best string // the format that fits the most lines, if any does
	Err  error  // what is wrong with the first line that does not fit it
}

// Error names the file and what to do.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("tell format of %q: the first lines are in no known format", e.Path)
	if e.Best != "" {
		text += fmt.Sprintf(" (nearest is %s: %v)", e.Best, e.Err)
	}
	return text + "\nname it with --format; dustbuster formats list shows what there is"
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Reader reads the records of files. One goroutine calls Read.
type Reader struct {
	o      Options
	files  *files.Reader
	gate   *admit.Gate
	named  *weblog.Parser // of Options.Format
	parser *weblog.Parser // of the file at hand; nil: none fits
	hit    weblog.Hit

	free  chan *Batch
	out   chan result
	start sync.Once
	stop  context.CancelFunc
	done  chan struct{}
}

type result struct {
	batch *Batch
	err   error
}

const (
	batches     = 4   // that may be ready or held at once; whoever holds all waits in Read
	detectLines = 512 // looked at to tell a format
)

// OptionsError says which of the options cannot be.
type OptionsError struct{ Err error }

// Error is the cause, which says it all.
func (e *OptionsError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *OptionsError) Unwrap() error { return e.Err }

// Open finds the files and starts nothing. Errors are those of files.Open, and
// an *OptionsError with those of weblog.New and admit.New.
func Open(paths []string, o Options) (*Reader, error) {
	r := &Reader{o: o, free: make(chan *Batch, batches), out: make(chan result), done: make(chan struct{})}
	var err error
	if o.Format != "" {
		if r.named, err = weblog.New(o.Format); err != nil {
			return nil, &OptionsError{err}
		}
	}
	if r.gate, err = admit.New(o.Admit); err != nil {
		return nil, &OptionsError{err}
	}
	if r.files, err = files.Open(paths, o.Files); err != nil {
		return nil, err
	}
	for range batches {
		r.free <- &Batch{free: r.free}
	}
	return r, nil
}

// Progress is that of files.Reader.
func (r *Reader) Progress() (read, total int64) { return r.files.Progress() }

// Read returns the next batch, which the caller must Release. A *files.FileError
// or *FormatError is about one file, and the caller may read on. After the last
// file comes io.EOF. The context of the first Read is the reader's.
func (r *Reader) Read(ctx context.Context) (*Batch, error) {
	r.start.Do(func() {
		ctx, r.stop = context.WithCancel(ctx)
		go r.run(ctx)
	})
	next, ok := <-r.out
	if !ok {
		return nil, io.EOF
	}
	return next.batch, next.err
}

// Close ends the reading and waits for its goroutines.
func (r *Reader) Close() error {
	r.start.Do(func() { close(r.out); close(r.done); r.stop = func() {} })
	r.stop()
	err := r.files.Close()
	for range r.out { // the goroutine may be about to send
	}
	<-r.done
	return err
}

func (r *Reader) run(ctx context.Context) {
	defer close(r.done)
	defer close(r.out)
	for {
		lines, err := r.files.Read(ctx)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.out <- result{err: err}
			var one *files.FileError
			if !errors.As(err, &one) {
				return
			}
			continue
		}
		err = r.parse(ctx, lines)
		lines.Release()
		if err != nil {
			r.out <- result{err: err}
			return
		}
	}
}

// parse turns a batch of lines into one of records. Its error is that of ctx,
// which may end while the consumer holds all batches.
func (r *Reader) parse(ctx context.Context, lines *files.Batch) error {
	if lines.First {
		if err := r.tell(lines); err != nil {
			r.out <- result{err: err}
		}
	}
	var b *Batch
	select {
	case b = <-r.free:
		b.reset(lines)
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.parser == nil {
		for range lines.Lines() {
			b.Counts.Lines++
			b.Counts.Unknown++
		}
	} else {
		b.Format = r.parser.Format().Name
		for line := range lines.Lines() {
			r.line(b, line)
		}
	}
	r.out <- result{batch: b}
	return nil
}

func (b *Batch) reset(lines *files.Batch) {
	*b = Batch{Path: lines.Path, Records: b.Records[:0], text: b.text[:0], free: b.free}
	b.Counts.Lines, b.Counts.Oversized = lines.Oversized, lines.Oversized
}

// tell finds the parser of a file.
func (r *Reader) tell(lines *files.Batch) error {
	if r.parser = r.named; r.named != nil {
		return nil
	}
	var first [][]byte
	for line := range lines.Lines() {
		if first = append(first, line); len(first) == detectLines {
			break
		}
	}
	found := weblog.Detect(first)
	best, ok := found.Best()
	if found.Lines == 0 { // an empty file: any format will do
		best, ok = weblog.Fit{Format: weblog.Formats()[0]}, true
	}
	if !ok {
		return &FormatError{lines.Path, best.Format.Name, errors.New(best.Misfit)}
	}
	var err error
	r.parser, err = weblog.New(best.Format.Name)
	return err
}

// line counts a line and adds its record to the batch.
func (r *Reader) line(b *Batch, line []byte) {
	b.Counts.Lines++
	if err := r.parser.Parse(&r.hit, line); err != nil {
		if len(bytes.TrimSpace(line)) == 0 {
			b.Counts.Blank++
			return
		}
		b.Counts.Malformed++
		if r.o.Malformed != nil {
			r.o.Malformed(b.Path, line, err)
		}
		return
	}
	b.Records = append(b.Records, Record{})
	record := &b.Records[len(b.Records)-1]
	site, why := r.gate.Admit(&record.Observation, &r.hit)
	b.Counts.Reasons[why]++
	if why != admit.Admitted {
		b.Records = b.Records[:len(b.Records)-1]
		return
	}
	record.Site, record.URL = site, b.keep(record.URL)
}

// keep copies a URL out of the line. Growing leaves what was kept where it is.
func (b *Batch) keep(url []byte) []byte {
	if cap(b.text)-len(b.text) < len(url) {
		b.text = make([]byte, 0, max(2*cap(b.text), 64<<10, len(url)))
	}
	n := len(b.text)
	b.text = append(b.text, url...)
	return b.text[n:len(b.text):len(b.text)]
}
