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
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// Options say how lines are read.
type Options struct {
	Format string // a format of wrap.New, or a wrapper; the part not named is detected from the first lines
	Admit  admit.Options
	Live   bool // files grow: if the format of a file is unknown, detection is tried again with later batches

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

	// Malformed is called with each line that is not in its file's format, and with
	// each line of a file of no known format. The line is valid only during the call.
	// Malformed is called from the parsing goroutine. May be nil.
	Malformed func(path string, line []byte, err error)

	// Agentless is called once for each format whose records name clients but no user
	// agents: clients are then distinguished by address only. Agentless is called from
	// the parsing goroutine. May be nil.
	Agentless func(path, format string)
}

// Record is an observation of a site.
type Record struct {
	Site string
	evidence.Observation
}

// Counts says how lines were classified. Lines plus Reread is the sum of all other
// fields.
type Counts struct {
	Lines     int
	Blank     int
	Directive int                // lines that say how later lines are read
	Oversized int                // lines above the length bound
	Unknown   int                // lines in a file of no known format
	Malformed int                // lines not in their file's format
	Wrapping  int                // a wrapper's own lines, or the beginning of a continued line
	Other     int                // lines of other programs that write into the same log
	Reasons   [admit.Reasons]int // by result of admission, admit.Admitted included
	Reread    Reread             // lines counted twice: here, and with their final class
}

// Reread counts the lines that could not be read at first, and were read once their
// format was detected.
type Reread struct{ Unknown, Malformed, Other int }

// All returns the sum of the fields.
func (r Reread) All() int { return r.Unknown + r.Malformed + r.Other }

// Final returns the counts with each line counted once, in its final class.
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

// FormatError is the error of a file in no known format. If the file holds lines of text,
// the caller may name the format of the lines in Options.Format.
type FormatError struct {
	Path  string
	Lines bool   // the file holds lines of text
	Best  string // the format that fits the most lines; empty if no format fits a line
	Err   error  // the error of the first line that does not fit Best; without lines, the content of the file
}

// Error names the file and the nearest format.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("detect format of %q: the first lines are in no known format", e.Path)
	switch {
	case !e.Lines:
		text += fmt.Sprintf(": %v", e.Err)
	case e.Best != "":
		text += fmt.Sprintf(" (nearest is %s: %v)", e.Best, e.Err)
	}
	return text
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// AboutOneFile reports whether an error of Read is about one file. Reading continues
// after such an error.
func AboutOneFile(err error) bool {
	var file *files.FileError
	var format *FormatError
	return errors.As(err, &file) || errors.As(err, &format)
}

// Source returns lines, as files.Reader and tail.Reader do. A *files.FileError of Read
// is about one file, and reading continues after the error.
type Source interface {
	Read(ctx context.Context) (*lines.Batch, error)
	Close() error
}

// Reader reads the records in a source's lines. One goroutine calls Read.
type Reader struct {
	o       Options
	source  Source
	gate    *admit.Gate
	wrapper string           // the wrapper named by Options.Format
	named   bool             // Options.Format also names the format
	files   map[string]*file // by path; the most recent files
	file    *file            // the present file
	blank   *file            // stands for files whose lines are all blank
	why     error            // the error of the last line that could not be read
	hit     weblog.Hit
	ward    ward

	agentless map[string]bool // formats reported to Options.Agentless

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

// DetectLines is the number of first lines used to detect the format of a file. The
// number suffices to get past the unusual lines at the start of a log (self-tests, a
// scanner's visit), and the lines mostly fit in the first batch.
const DetectLines = 512

const (
	batches   = 4    // batches that may be ready or held at once; if all are held, Read blocks
	manyPaths = 256  // number of paths whose formats are remembered
	mostPaths = 4096 // the same, including paths whose formats can be read only at the start of the file
)

// OptionsError is the error of an invalid option.
type OptionsError struct{ Err error }

// Error returns the text of the cause.
func (e *OptionsError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *OptionsError) Unwrap() error { return e.Err }

// New returns a reader of a source. The reader owns the source. New starts no
// goroutine. The error is an *OptionsError with an error of wrap.Check or admit.New.
func New(source Source, o Options) (*Reader, error) {
	r := &Reader{o: o, source: source, files: map[string]*file{}, ward: ward{files: map[string]health{}, facts: map[string]*facts{}}, agentless: map[string]bool{},
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
			return next.batch, next.err
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
	for {
		batch, err := r.source.Read(ctx)
		if errors.Is(err, io.EOF) {
			_ = r.last(ctx)
			return
		}
		if err != nil {
			r.ward.failFile(err)
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

// parse turns a batch of lines into a batch of records. The error is that of ctx, which
// may end while the consumer holds all batches.
func (r *Reader) parse(ctx context.Context, in *lines.Batch) error {
	if in.First {
		if err := r.last(ctx); err != nil {
			return err
		}
	}
	if err := r.choose(in); err != nil {
		r.ward.fail(in.Path, err)
		r.out <- result{err: err}
	}
	b, err := r.pool.Get(ctx)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(in.Head) {
		for _, p := range r.file.parsers {
			_, _ = p.Parse(&r.hit, bytes.TrimRight(line, "\r\n")) // parsed for its effect on later lines
		}
	}
	b.Path, b.File, b.End, b.Passed, b.Bytes = in.Path, in.File, in.End, in.End, int64(len(in.Data))
	b.Counts.Lines, b.Counts.Oversized = in.Oversized, in.Oversized
	r.why = nil
	if r.file.learned {
		r.again(b)
	}
	for line := range in.Lines() {
		r.line(b, line)
	}
	b.Format = r.file.name
	missed := r.file.last == lineMissed && !r.o.DeadLetters
	if r.file.open() || missed {
		b.End = 0 // the last line must be read again, from its beginning or with another parser
	}
	r.judge(b)
	if r.file.open() || missed && (len(r.file.parsers) == 0 || r.file.health.bad != nil) {
		b.Passed = 0 // the lines are read by a reader that knows their format
	}
	r.noteAgents(b)
	r.out <- result{batch: b}
	return nil
}

// last tries to read the unread lines of a finished file, because no further lines
// follow.
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

// choose sets the present file to the file of a batch. The format of the file is named
// or detected from the first lines. For a file of no known format, detection is tried
// again now and then.
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
	if len(first) == 0 && !r.named { // nothing to detect from yet, and any format will do
		r.file = cmp.Or(before, r.blank)
		return nil
	}
	parser, err := r.detect(in.Path, first)
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
	if err == nil && r.o.Found != nil && (before == nil || before.name != r.file.name) {
		r.o.Found(in.Path, r.file.name)
	}
	r.files[in.Path] = r.file
	return err
}

// retry tries to detect the format of a file of no known format: with each batch at
// first, and less often with each failure.
func (r *Reader) retry(in *lines.Batch) {
	f := r.file
	if f.wait--; f.wait >= 0 {
		return
	}
	first := append(slices.Clone(f.failed.inOrder()), firstLines(in)...)
	parser, err := r.detect(in.Path, first[max(0, len(first)-DetectLines):])
	if err != nil {
		f.waited = min(2*f.waited+1, mostWait)
		f.wait = f.waited
		return
	}
	r.learn(parser)
}

// mostWait is the greatest number of batches skipped between two attempts.
const mostWait = 63

// firstLines returns lines of a batch for detecting a format: at most DetectLines, none
// blank.
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

// forget drops readable files whose formats can be detected again in the middle of the
// file. From mostPaths on, forget drops all files.
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

// detect returns a parser for the lines of a file.
func (r *Reader) detect(path string, first [][]byte) (*wrap.Parser, error) {
	if r.named {
		return wrap.New(r.o.Format)
	}
	d := wrap.Detect(r.wrapper, first)
	if d.Parser == nil {
		best, _ := d.Best()
		if d.Trouble != "" {
			return nil, &FormatError{Path: path, Err: errors.New(d.Trouble)}
		}
		return nil, &FormatError{Path: path, Lines: true, Best: best.Format.Name, Err: errors.New(best.Misfit)}
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

// further tries the parsers after the first. If one of them knows the line as another
// program's, the line counts as such.
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

// admit adds the hit's record to the batch, if the hit is admitted.
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

// left counts a line without a record.
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

// keepLine keeps a line until its format is detected, which may happen now.
func (r *Reader) keepLine(b *Batch, s *sample, line []byte, as lastLine) {
	inRow := r.file.last == as
	r.file.last = as
	if n := s.add(line, inRow); n > 0 {
		r.look(b, s, n)
	}
}

// errUnknown is the error of each line if no format fits.
var errUnknown = errors.New("in no known format")

// missed reports a line that no parser could read, and keeps the line.
func (r *Reader) missed(b *Batch, line []byte, err error) {
	if r.o.Malformed != nil {
		r.o.Malformed(b.Path, line, err)
	}
	r.why = err
	r.keepLine(b, &r.file.failed, line, lineMissed)
}
