// Package records turns log lines into observations, one core ahead of whoever
// folds them.
//
//	files or tail ──lines──> parse, admit (a goroutine) ──batches──> Read
//
// The format of a file is named, or told from its first lines, and so is what
// other programs have put around the lines; several may come in one run, and in one
// file: the last lines that nobody could read are kept, looked at now and then, and
// read again when their format has been told. Until then a batch that ends in such a
// line has no End, so that they come again after a restart. Whatever
// is not an observation is counted by reason. Batches are used again and again, so
// memory is bounded and a line costs no allocation.
package records

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"dustbuster/operators/admit"
	"dustbuster/operators/table"
	"dustbuster/operators/weblog"
	"dustbuster/operators/wrap"
	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// Options say how lines are read.
type Options struct {
	Format string // of wrap.New, or a wrapper; what it does not name is told from the first lines
	Admit  admit.Options
	Live   bool // files grow: one whose format cannot be told yet is looked at again with each batch

	// Letters says that Malformed keeps what it is given, so that lines that nobody
	// can read are dealt with. Else a batch that ends in some has no End.
	Letters bool

	// Told is called when a further format is told in the middle of a file, because
	// lines could not be read. Unreadable is called when most of the last lines of a
	// file cannot be read, and with nil when they can again. Both are called from the
	// parsing goroutine; nil: nobody wants to know.
	Told       func(path, format string)
	Unreadable func(path string, err *UnreadableError)

	// Malformed is called with lines that are not of their file's format, and
	// with all of a file of no known one. The line is valid during the call only. It is called from the parsing
	// goroutine; nil: nobody wants to know.
	Malformed func(path string, line []byte, err error)

	// Agentless is told once of each format whose records name clients, but no user
	// agents: who asked can be told by address only. Called from the parsing goroutine;
	// nil: nobody wants to know.
	Agentless func(path, format string)
}

// Record is an observation of a site.
type Record struct {
	Site string
	table.Observation
}

// Counts say what became of lines. Lines and Reread are the sum of all others.
type Counts struct {
	Lines     int
	Blank     int
	Directive int                // say how the lines after them are read
	Oversized int                // longer than a line may be
	Unknown   int                // in a file of no known format
	Malformed int                // not of their file's format
	Wrapping  int                // a wrapper's own, or the beginning of a line that goes on
	Other     int                // of other programs that write into one log
	Reasons   [admit.Reasons]int // by what admission said, admit.Admitted included
	Reread    Reread             // lines that count twice: once here, and once as what they are
}

// Reread are lines that could not be read at first, and were when their format had been
// told.
type Reread struct{ Unknown, Malformed, Other int }

// All is how many they are.
func (r Reread) All() int { return r.Unknown + r.Malformed + r.Other }

// Final are the counts in which each line is once what it came to in the end.
func (c Counts) Final() Counts {
	c.Unknown -= c.Reread.Unknown
	c.Malformed -= c.Reread.Malformed
	c.Other -= c.Reread.Other
	c.Reread = Reread{}
	return c
}

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	c.Lines += d.Lines
	c.Blank += d.Blank
	c.Directive += d.Directive
	c.Oversized += d.Oversized
	c.Unknown += d.Unknown
	c.Malformed += d.Malformed
	c.Wrapping += d.Wrapping
	c.Other += d.Other
	for i, n := range d.Reasons {
		c.Reasons[i] += n
	}
	c.Reread.Unknown += d.Reread.Unknown
	c.Reread.Malformed += d.Reread.Malformed
	c.Reread.Other += d.Reread.Other
}

// FormatError says that a file is in no known format.
type FormatError struct {
	Path string
	Best string // the format that fits the most lines, if any does
	Err  error  // what is wrong with the first line that does not fit it
}

// Error names the file and what to do.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("tell format of %q: the first lines are in no known format", e.Path)
	switch {
	case e.Best == "" && e.Err != nil:
		return text + ": " + e.Err.Error()
	case e.Best != "":
		text += fmt.Sprintf(" (nearest is %s: %v)", e.Best, e.Err)
	}
	return text + "\nname it with --format; dustbuster formats list shows what there is"
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// AboutOneFile tells whether an error of Read is about one file: reading goes on
// after it.
func AboutOneFile(err error) bool {
	var file *files.FileError
	var format *FormatError
	return errors.As(err, &file) || errors.As(err, &format)
}

// Source gives lines, as files.Reader and tail.Reader do. The error of Read that
// is about one file is an *files.FileError; reading goes on after it.
type Source interface {
	Read(ctx context.Context) (*lines.Batch, error)
	Close() error
}

// Reader reads the records in a source's lines. One goroutine calls Read.
type Reader struct {
	o       Options
	source  Source
	gate    *admit.Gate
	wrapper string           // that Options.Format names
	named   bool             // Options.Format names the format, too
	files   map[string]*file // by path, those of late
	file    *file            // at hand
	blank   *file            // of lines that are all blank
	why     error            // what is wrong with the last line that could not be read
	hit     weblog.Hit
	ward    ward

	agentless map[string]bool // formats that Options.Agentless was told of

	pool   Pool
	out    chan result
	start  sync.Once
	stop   context.CancelFunc
	done   chan struct{}
	closed bool
}

type result struct {
	batch *Batch
	err   error
}

// DetectLines is how many first lines of a file are looked at to tell its format:
// enough to get past what starts a log (self-tests, a scanner's visit), and mostly
// within the first batch.
const DetectLines = 512

const (
	batches   = 4    // that may be ready or held at once; whoever holds all waits in Read
	manyPaths = 256  // whose formats are remembered
	mostPaths = 4096 // the same, of formats whose files begin with how to read them
)

// OptionsError says which of the options cannot be.
type OptionsError struct{ Err error }

// Error is the cause, which says it all.
func (e *OptionsError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *OptionsError) Unwrap() error { return e.Err }

// New returns a reader of a source, which is the reader's from then on. Nothing
// is started. The error is an *OptionsError with that of wrap.Check or admit.New.
func New(source Source, o Options) (*Reader, error) {
	r := &Reader{o: o, source: source, files: map[string]*file{}, ward: ward{files: map[string]health{}}, agentless: map[string]bool{},
		pool: NewPool(batches), out: make(chan result), done: make(chan struct{})}
	var err error
	if o.Format != "" {
		if err = wrap.Check(o.Format); err != nil {
			return nil, &OptionsError{err}
		}
		format := ""
		r.wrapper, format = wrap.Cut(o.Format)
		r.named = format != ""
	}
	if r.gate, err = admit.New(o.Admit); err != nil {
		return nil, &OptionsError{err}
	}
	blank, err := wrap.New(weblog.Names()[0])
	if err != nil {
		return nil, err
	}
	r.blank = newFile("", blank)
	return r, nil
}

// Read returns the next batch, which the caller must Release. A *files.FileError
// or *FormatError is about one file, and the caller may read on. After the last
// file comes io.EOF, after Close files.ErrClosed. Reading ahead ends with the
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
			return next.batch, next.err
		case r.closed:
			return nil, files.ErrClosed
		}
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Stop has a source that can be stopped end. Read then returns what has been read
// ahead, and io.EOF.
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
	for {
		batch, err := r.source.Read(ctx)
		if errors.Is(err, io.EOF) {
			_ = r.last(ctx)
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
		err = r.parse(ctx, batch)
		batch.Release()
		if err != nil {
			r.out <- result{err: err}
			return
		}
	}
}

// parse turns a batch of lines into one of records. Its error is that of ctx,
// which may end while the consumer holds all batches.
func (r *Reader) parse(ctx context.Context, in *lines.Batch) error {
	if in.First {
		if err := r.last(ctx); err != nil {
			return err
		}
	}
	if err := r.choose(in); err != nil {
		r.out <- result{err: err}
	}
	b, err := r.pool.Get(ctx)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(in.Head) {
		for _, p := range r.file.parsers {
			_, _ = p.Parse(&r.hit, bytes.TrimRight(line, "\r\n")) // for what it says of later lines
		}
	}
	b.Path, b.File, b.End, b.Bytes = in.Path, in.File, in.End, int64(len(in.Data))
	b.Counts.Lines, b.Counts.Oversized = in.Oversized, in.Oversized
	r.why = nil
	if r.file.learned {
		r.again(b)
	}
	for line := range in.Lines() {
		r.line(b, line)
	}
	b.Format = r.file.name
	if r.file.open() || r.file.last == lineMissed && !r.o.Letters {
		b.End = 0 // the last line must be read again, from its beginning or by who can
	}
	r.judge(b)
	r.noteAgents(b)
	r.out <- result{batch: b}
	return nil
}

// last looks at what could not be read of a finished file, as nothing more comes.
func (r *Reader) last(ctx context.Context) error {
	if r.file == nil || r.o.Live || r.file.failed.fresh < 2 {
		return nil
	}
	b, err := r.pool.Get(ctx)
	if err != nil {
		return err
	}
	b.Path, b.Format = r.file.path, r.file.name
	r.look(b, &r.file.failed, r.file.failed.fresh)
	r.out <- result{batch: b}
	return nil
}

// choose finds the file of a batch, whose format is named or told from the file's
// first lines. One of no known format is looked at again now and then.
func (r *Reader) choose(in *lines.Batch) error {
	before := r.files[in.Path]
	if before != nil && !in.First {
		r.file = before
		if len(before.parsers) == 0 {
			r.retry(in)
		}
		return nil
	}
	first := firstLines(in)
	if len(first) == 0 && !r.named { // nothing to tell it from yet, and any format will do
		r.file = cmp.Or(before, r.blank)
		return nil
	}
	parser, err := r.tell(in.Path, first)
	if err != nil && before != nil && len(before.parsers) > 0 { // a few odd lines at the start of a new generation
		r.file = before
		r.file.last = lineRead
		return nil
	}
	if len(r.files) >= manyPaths {
		r.forget()
	}
	r.file = newFile(in.Path)
	if err == nil {
		r.file.add(parser)
	}
	if before != nil {
		r.file.health.was = before.health.was
	}
	r.files[in.Path] = r.file
	return err
}

// retry looks at a file of no known format with each batch at first, and less often
// the longer it is of none.
func (r *Reader) retry(in *lines.Batch) {
	f := r.file
	if f.wait--; f.wait >= 0 {
		return
	}
	first := append(slices.Clone(f.failed.inOrder()), firstLines(in)...)
	parser, err := r.tell(in.Path, first[max(0, len(first)-DetectLines):])
	if err != nil {
		f.waited = min(2*f.waited+1, mostWait)
		f.wait = f.waited
		return
	}
	r.learn(parser)
}

// mostWait is how many batches are not looked at between two that are.
const mostWait = 63

// firstLines are the lines of a batch to tell a format from: some, not blank.
func firstLines(in *lines.Batch) (first [][]byte) {
	for line := range bytes.Lines(in.Head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			first = append(first, line)
		}
	}
	for line := range in.Lines() {
		if len(bytes.TrimSpace(line)) > 0 {
			first = append(first, line)
		}
		if len(first) == DetectLines {
			break
		}
	}
	return first
}

// forget drops the files whose formats can be told again in their middle, and which
// are well.
func (r *Reader) forget() {
	all := len(r.files) >= mostPaths
	maps.DeleteFunc(r.files, func(path string, f *file) bool {
		drop := all || !f.stateful() && f.health.bad == nil
		if drop {
			r.ward.drop(path)
		}
		return drop
	})
}

// tell finds a parser for the lines of a file.
func (r *Reader) tell(path string, first [][]byte) (*wrap.Parser, error) {
	if r.named {
		return wrap.New(r.o.Format)
	}
	d := wrap.Detect(r.wrapper, first)
	if d.Parser == nil {
		best, _ := d.Best()
		err := &FormatError{path, best.Format.Name, errors.New(best.Misfit)}
		if d.Trouble != "" {
			err.Best, err.Err = "", errors.New(d.Trouble)
		}
		return nil, err
	}
	return d.Parser, nil
}

// line counts a line and adds its record to the batch.
func (r *Reader) line(b *Batch, line []byte) {
	b.Counts.Lines++
	if len(r.file.parsers) == 0 {
		b.Counts.Unknown++
		r.missed(b, line, errUnknown)
		return
	}
	kind, err := r.file.parsers[0].Parse(&r.hit, line)
	if (kind == wrap.Malformed || kind == wrap.Other) && len(r.file.parsers) > 1 {
		kind, err = r.further(line, kind, err)
	}
	if kind != wrap.Hit {
		r.left(b, line, kind, err)
		return
	}
	r.file.last = lineRead
	r.admit(b)
}

// further tries the parsers after the first. What one of them knows to be another
// program's is that.
func (r *Reader) further(line []byte, kind wrap.Kind, err error) (wrap.Kind, error) {
	for _, p := range r.file.parsers[1:] {
		next, why := p.Parse(&r.hit, line)
		switch {
		case next != wrap.Malformed && next != wrap.Other:
			return next, why
		case next == wrap.Other && kind == wrap.Malformed:
			kind, err = next, why
		}
	}
	return kind, err
}

// admit adds the hit's record to the batch, if it counts.
func (r *Reader) admit(b *Batch) {
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

// left counts a line that is no record.
func (r *Reader) left(b *Batch, line []byte, kind wrap.Kind, err error) {
	switch {
	case kind == wrap.Directive:
		b.Counts.Directive++
		r.file.last = lineRead
	case kind == wrap.Wrapping:
		b.Counts.Wrapping++
	case len(bytes.TrimSpace(line)) == 0:
		b.Counts.Blank++
	case kind == wrap.Other:
		b.Counts.Other++
		r.keepLine(b, &r.file.others, line, lineOther)
	default:
		b.Counts.Malformed++
		r.missed(b, line, err)
	}
}

// keepLine keeps a line for the time when its format is told, which may be now.
func (r *Reader) keepLine(b *Batch, s *sample, line []byte, as lastLine) {
	inRow := r.file.last == as
	r.file.last = as
	if n := s.add(line, inRow); n > 0 {
		r.look(b, s, n)
	}
}

// errUnknown is what is wrong with each line where no format fits.
var errUnknown = errors.New("in no known format")

// missed tells of a line that nobody could read, and keeps it.
func (r *Reader) missed(b *Batch, line []byte, err error) {
	if r.o.Malformed != nil {
		r.o.Malformed(b.Path, line, err)
	}
	r.why = err
	r.keepLine(b, &r.file.failed, line, lineMissed)
}
