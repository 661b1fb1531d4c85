package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// must ends a test at an error.
var must = expect.NoError

// told is the whole output of a Reader.
type told struct {
	records   []string // site, URL, size and time
	formats   []string
	counts    Counts
	errors    []error
	malformed []string
}

// readAll reads the files to their end.
func readAll(t *testing.T, o Options, paths ...string) told {
	t.Helper()
	return readLogs(t, o, files.Options{}, paths...)
}

// open returns a Reader of finished logs.
func open(t *testing.T, o Options, f files.Options, paths ...string) *Reader {
	t.Helper()
	logs, err := files.Open(paths, f)
	must(t, err)
	r, err := New(logs, o)
	must(t, err)
	return r
}

func readLogs(t *testing.T, o Options, f files.Options, paths ...string) told {
	t.Helper()
	var all told
	o.Malformed = func(path string, line []byte, err error) {
		all.malformed = append(all.malformed, fmt.Sprintf("%s: %s: %v", filepath.Base(path), line, err))
	}
	if o.Admit.MaxBytes == 0 {
		o.Admit = admit.Defaults()
	}
	r := open(t, o, f, paths...)
	all.errors = each(t, r, all.add)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	return all
}

// each passes on the batches of a Reader, and returns the errors.
func each(t *testing.T, r *Reader, do func(*Batch)) (errs []error) {
	t.Helper()
	for {
		b, err := r.Read(t.Context())
		if err == io.EOF {
			return errs
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		do(b)
		b.Release()
	}
}

func (all *told) add(b *Batch) {
	all.counts.Add(&b.Counts)
	if !slices.Contains(all.formats, b.Format) {
		all.formats = append(all.formats, b.Format)
	}
	for _, r := range b.Records {
		all.records = append(all.records, fmt.Sprintf("%s %s %d %d", r.Site, r.URL, r.Max, r.Time))
	}
}

// write writes a file of a new directory.
var write = expect.File

const combinedLine = `192.0.2.1 - - [01/Jan/1970:00:00:07 +0000] "GET /a?b=%d HTTP/1.1" 200 5 "-" "-"` + "\n"

func TestReadSeveralFormats(t *testing.T) {
	all := readAll(t, Options{},
		write(t, "a", fmt.Sprintf(combinedLine, 1)),
		write(t, "b", "/x\t200\t12\n"),
		write(t, "c", "www.example.org:80 "+fmt.Sprintf(combinedLine, 2)))
	want := []string{" /a?b=1 5 7", " /x 12 0", "www.example.org /a?b=2 5 7"}
	if !slices.Equal(all.records, want) || len(all.errors) > 0 {
		t.Errorf("records %q, errors %v; want %q", all.records, all.errors, want)
	}
	if want := []string{"combined", "urllist", "vhost_combined"}; !slices.Equal(all.formats, want) {
		t.Errorf("formats %q, want %q", all.formats, want)
	}
}

// Every line has one class.
func TestCounts(t *testing.T) {
	text := fmt.Sprintf(combinedLine, 1) + "\n \nnonsense\n" +
		strings.Replace(fmt.Sprintf(combinedLine, 1), "GET", "PUT", 1) +
		fmt.Sprintf(combinedLine, 2) + strings.Repeat("x", 300) + "\n" + fmt.Sprintf(combinedLine, 3)
	all := readLogs(t, Options{}, files.Options{MaxLine: 200}, write(t, "log", text), write(t, "prose", "It was\na dark night\n"))
	want := Counts{Lines: 10, Blank: 2, Oversized: 1, Unknown: 2, Malformed: 1}
	want.Reasons[admit.Admitted], want.Reasons[admit.Method] = 3, 1
	if all.counts != want {
		t.Errorf("counts %+v, want %+v", all.counts, want)
	}
	wrong := []string{`log: nonsense: parse line: expected a value of %h, and " " after it at byte 0, found "nonsense"`,
		"prose: It was: in no known format", "prose: a dark night: in no known format"}
	if !slices.Equal(all.malformed, wrong) {
		t.Errorf("malformed %q, want %q", all.malformed, wrong)
	}
}

func TestUnknownFormat(t *testing.T) {
	path := write(t, "prose", "It was\na dark night\n"+fmt.Sprintf(combinedLine, 1))
	all := readAll(t, Options{}, path, write(t, "log", fmt.Sprintf(combinedLine, 2)))
	var format *FormatError
	if len(all.errors) != 1 || !errors.As(all.errors[0], &format) || format.Path != path || format.Best != "combined" {
		t.Fatalf("errors %v, want a FormatError of %s", all.errors, path)
	}
	if len(all.records) != 1 || all.counts.Unknown != 3 {
		t.Errorf("records %q, counts %+v", all.records, all.counts)
	}
	if all := readAll(t, Options{Format: "combined"}, path); len(all.errors) > 0 || len(all.records) != 1 || all.counts.Malformed != 2 {
		t.Errorf("with a format named: records %q, errors %v, counts %+v", all.records, all.errors, all.counts)
	}
}

// An unreadable file does not prevent the next file from being read.
func TestDamagedFile(t *testing.T) {
	all := readAll(t, Options{}, write(t, "torn.gz", "\x1f\x8b\x08\x00torn"), write(t, "log", fmt.Sprintf(combinedLine, 1)))
	var damaged *files.FileError
	if len(all.errors) != 1 || !errors.As(all.errors[0], &damaged) || len(all.records) != 1 {
		t.Errorf("records %q, errors %v", all.records, all.errors)
	}
}

func TestEmptyFile(t *testing.T) {
	if all := readAll(t, Options{}, write(t, "log", "")); len(all.errors) > 0 || all.counts != (Counts{}) {
		t.Errorf("%+v", all)
	}
	if all := readAll(t, Options{}, write(t, "log", "\n\n")); len(all.errors) > 0 || all.counts != (Counts{Lines: 2, Blank: 2}) {
		t.Errorf("%+v", all)
	}
}

func TestNewErrors(t *testing.T) {
	for _, o := range []Options{{Format: "nosuch"}, {Format: "$nosuch"}, {Admit: admit.Options{Site: "a/b"}},
		{Admit: admit.Options{Groups: map[string][]string{"g": {"a b"}}}}} {
		if _, err := New(nil, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// growing is a source of batches from growing files.
type growing struct{ batches []*lines.Batch }

func (g *growing) Read(context.Context) (*lines.Batch, error) {
	if len(g.batches) == 0 {
		return nil, io.EOF
	}
	b := g.batches[0]
	g.batches = g.batches[1:]
	return b, nil
}

func (g *growing) Close() error { return nil }

// grow returns a Reader of batches from growing files.
func grow(t *testing.T, o Options, batches ...*lines.Batch) *Reader {
	t.Helper()
	o.Admit = admit.Defaults()
	r, err := New(&growing{batches}, o)
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// part returns lines of a growing file.
func part(path string, file uint64, first bool, end int64, text string) *lines.Batch {
	return &lines.Batch{Path: path, File: file, First: first, End: end, Data: []byte(text)}
}

// While the format of a growing file is unknown, detection is tried again. A new
// generation of odd lines gets the format of the previous generation. The end of each
// batch is passed on, unless no parser could read the last line.
func TestLive(t *testing.T) {
	good := fmt.Sprintf(combinedLine, 1)
	const log = "access.log"
	r := grow(t, Options{Live: true},
		part(log, 1, true, 4, "odd\n"), part(log, 1, false, 90, good), part(log, 1, false, 94, "odd\n"),
		part(log, 2, true, 5, "odd2\n"), part(log, 2, false, 200, good))
	var unknown *FormatError
	if _, err := r.Read(t.Context()); !errors.As(err, &unknown) {
		t.Fatalf("error %v, want a FormatError", err)
	}
	var got []string
	errs := each(t, r, func(b *Batch) {
		got = append(got, fmt.Sprintf("%d to %d: %d unknown, %d malformed, %d records", b.File, b.End, b.Counts.Unknown, b.Counts.Malformed, len(b.Records)))
	})
	want := []string{"1 to 0: 1 unknown, 0 malformed, 0 records", "1 to 90: 0 unknown, 0 malformed, 1 records",
		"1 to 0: 0 unknown, 1 malformed, 0 records", "2 to 0: 0 unknown, 1 malformed, 0 records", "2 to 200: 0 unknown, 0 malformed, 1 records"}
	if !slices.Equal(got, want) || len(errs) > 0 {
		t.Errorf("got\n%s\nwant\n%s; %v", strings.Join(got, "\n"), strings.Join(want, "\n"), errs)
	}
}

// Blank lines, however many, do not determine a format.
func TestBlankBeginning(t *testing.T) {
	for _, n := range []int{DetectLines - 1, DetectLines, 600_000} {
		all := readAll(t, Options{}, write(t, "log", strings.Repeat("\n", n)+"/a\t200\t1\n/b\t200\t2\n"))
		if all.counts.Reasons[admit.Admitted] != 2 || all.counts.Blank != n || len(all.errors) > 0 {
			t.Errorf("%d blank lines: %+v", n, all.counts)
		}
	}
}

// A held batch's URLs stay unchanged while other batches are read, and many batches
// pass through a few buffers.
func TestBatchesAreHeld(t *testing.T) {
	const n = 20_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, combinedLine, i)
	}
	r := open(t, Options{Admit: admit.Defaults()}, files.Options{}, write(t, "log", text.String()))
	defer r.Close()
	next := 0
	var held *Batch
	for {
		b, err := r.Read(t.Context())
		if held != nil {
			next = inOrder(t, held, next)
			held.Release()
		}
		if err == io.EOF {
			break
		}
		must(t, err)
		held = b
	}
	if next != n {
		t.Errorf("%d records, want %d", next, n)
	}
}

func inOrder(t *testing.T, b *Batch, next int) int {
	t.Helper()
	for _, r := range b.Records {
		if want := fmt.Sprintf("/a?b=%d", next); string(r.URL) != want {
			t.Fatalf("URL %q, want %q", r.URL, want)
		}
		next++
	}
	return next
}

// Reading ends with its context, also in the middle of an endless stream.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := open(t, Options{Admit: admit.Defaults()}, files.Options{Stdin: endless{}}, "-")
	for range 10 {
		b, err := r.Read(ctx)
		must(t, err)
		b.Release()
	}
	cancel()
	deadline := time.After(time.Minute)
	var err error
	for err == nil {
		var b *Batch
		if b, err = r.Read(ctx); err == nil {
			b.Release()
		}
		select {
		case <-deadline:
			t.Fatal("reading goes on after its context ended")
		default:
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	const line = "/x\t200\t12\n"
	n := 0
	for n+len(line) <= len(p) {
		n += copy(p[n:], line)
	}
	return n, nil
}

// Close works before, during and after reading, and while a batch is held.
func TestClose(t *testing.T) {
	for reads := range batches + 1 {
		r := open(t, Options{Admit: admit.Defaults()}, files.Options{Stdin: endless{}}, "-")
		for range reads {
			if _, err := r.Read(t.Context()); err != nil { // not released
				t.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A line costs no allocation: twice the lines cost what the first reads of a log cost.
func TestAllocations(t *testing.T) {
	const n = 100_000
	allocations := func(lines int) float64 {
		path := write(t, "log", strings.Repeat(fmt.Sprintf(combinedLine, 1), lines))
		return testing.AllocsPerRun(3, func() {
			r := open(t, Options{Admit: admit.Defaults()}, files.Options{}, path)
			defer r.Close()
			for {
				b, err := r.Read(t.Context())
				if err != nil {
					return
				}
				b.Release()
			}
		})
	}
	once, twice := allocations(n), allocations(2*n)
	if twice-once > n/50 {
		t.Errorf("%v allocations for %d lines, and %v for %d", once, n, twice, 2*n)
	}
}
