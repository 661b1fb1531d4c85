package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/expect"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// must ends a test at an error.
var must = expect.NoError

// bzipped is "one\ntwo\n" packed by bzip2. The library cannot compress bzip2.
const bzipped = "QlpoOTFBWSZTWacUK3cAAALBgAAQAgGEgCAAIYAMAjj1G4u5IpwoSFOKFbuA"

func TestReadTellsCompressionByContent(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString(bzipped)
	must(t, err)
	text := []byte("one\ntwo\n")
	skippable := append([]byte("\x5a\x2a\x4d\x18\x03\x00\x00\x00abc"), zstdOf(t, text)...)
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"plain", text},
		{"no newline at the end", text[:7]},
		{"gzip", gzipOf(t, text)},
		{"gzip of two members", append(gzipOf(t, text[:2]), gzipOf(t, text[2:])...)},
		{"gzip and zeros", append(gzipOf(t, text), make([]byte, 70_000)...)},
		{"zstd", zstdOf(t, text)},
		{"zstd of two frames", append(zstdOf(t, text[:2]), zstdOf(t, text[2:])...)},
		{"zstd, skippable frame", skippable},
		{"bzip2", bz},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectRead(t, Options{}, write(t, "misnamed.xz", c.data), "one", "two")
		})
	}
}

func TestReadPassesTextThatLooksPacked(t *testing.T) {
	for _, text := range []string{"BZh9 is a level\n", "BZh\n", "\x1f\x8b\n", "PK\n", "\x00\xff binary\x00\r\n", "(\n", "P*M\n"} {
		expectRead(t, Options{}, write(t, "access.log", []byte(text)), strings.TrimSuffix(text, "\n"))
	}
}

// Carriage returns end lines only where there are no newlines.
func TestReadCarriageReturns(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"alone", "one\rtwo\r", []string{"one", "two"}},
		{"alone, no end", "one\rtwo", []string{"one", "two"}},
		{"alone, many", strings.Repeat(long+"\r", 3000), slices.Repeat([]string{long}, 3000)},
		{"with newlines", "one\r\ntwo\r\n", []string{"one\r", "two\r"}},
		{"within lines", "one\rmore\ntwo\n", []string{"one\rmore", "two"}},
		{"one line", "one\r", []string{"one\r"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectRead(t, Options{}, write(t, "access.log", []byte(c.text)), c.want...)
		})
	}
}

func TestReadEmptyFiles(t *testing.T) {
	expectRead(t, Options{}, write(t, "a.log", nil))
	expectRead(t, Options{}, write(t, "b.log", gzipOf(t, nil)))
}

func TestReadNamesWhatItCannotUnpack(t *testing.T) {
	for _, c := range []struct{ name, magic string }{
		{"xz", "\xfd7zXZ\x00rest"}, {"lz4", "\x04\x22\x4d\x18rest"}, {"zip", "PK\x03\x04rest"}, {"compress", "\x1f\x9drest"},
	} {
		path := write(t, "access.log", []byte(c.magic))
		lines, _, errs := readAll(t, Options{}, path)
		if len(lines) > 0 || len(errs) != 1 {
			t.Fatalf("%s: got %q, %v", c.name, lines, errs)
		}
		if got := errs[0].Error(); !strings.Contains(got, c.name+" files are not supported") || !strings.Contains(got, path) {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}

// A file cut short or damaged yields its whole lines and then an error with its name.
// The next file is read as usual.
func TestReadDamagedFiles(t *testing.T) {
	var text bytes.Buffer
	for i := range 200_000 {
		fmt.Fprintf(&text, "line %d of %x\n", i, i*i*2654435761)
	}
	whole := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for _, c := range []struct {
		name string
		pack func(*testing.T, []byte) []byte
	}{{"gzip", gzipOf}, {"zstd", zstdOf}} {
		packed := c.pack(t, text.Bytes())
		flipped := slices.Clone(packed)
		flipped[len(flipped)*3/4] ^= 0x55
		for _, test := range []struct {
			damage string
			data   []byte
		}{
			{"cut", packed[:len(packed)*3/4]},
			{"cut by a byte", packed[:len(packed)-1]},
			{"flipped", flipped},
			{"garbage after", append(slices.Clone(packed), "garbage"...)},
		} {
			t.Run(c.name+" "+test.damage, func(t *testing.T) {
				bad := write(t, "bad.log", test.data)
				good := write(t, "good.log", []byte("good\n"))
				lines, _, errs := readAll(t, Options{}, bad, good)
				var at *FileError
				if len(errs) != 1 || !errors.As(errs[0], &at) || at.Path != bad || !strings.Contains(at.Error(), c.name) {
					t.Fatalf("got errors %v", errs)
				}
				last := len(lines) - 1
				if lines[last] != "good" {
					t.Errorf("the next file's line is %q", lines[last])
				}
				if last < len(whole)/2 {
					t.Errorf("only %d lines of %d", last, len(whole))
				}
				if test.damage != "flipped" && !slices.Equal(lines[:last], whole[:last]) {
					t.Error("lines differ from the file's")
				}
			})
		}
	}
}

func TestReadDamagedBzip2(t *testing.T) {
	bz, _ := base64.StdEncoding.DecodeString(bzipped)
	lines, _, errs := readAll(t, Options{}, write(t, "bad.log", bz[:len(bz)-9]))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "unpack bzip2: unexpected EOF") {
		t.Errorf("got %q, %v", lines, errs)
	}
}

func TestReadFilesThatCannotBeOpened(t *testing.T) {
	gone, good := write(t, "gone.log", []byte("gone\n")), write(t, "good.log", []byte("good\n"))
	r := open(t, Options{}, gone, good)
	must(t, os.Remove(gone))
	lines, _, errs := drain(t, r)
	expectLines(t, lines, "good")
	if want := fmt.Sprintf("read %q: no such file or directory", gone); len(errs) != 1 || errs[0].Error() != want {
		t.Errorf("got %v, want %s", errs, want)
	}
}

func TestReadLeavesOutLongLines(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("first\n")
	text.Write(bytes.Repeat([]byte("x"), 100))
	text.WriteString("\nmiddle\n")
	text.Write(bytes.Repeat([]byte("y"), 100_000))
	text.WriteString("\nlast")
	lines, oversized, _ := readAll(t, Options{BatchSize: 32, MaxLine: 64}, write(t, "a.log", text.Bytes()))
	expectLines(t, lines, "first", "middle", "last")
	if oversized != 2 {
		t.Errorf("%d oversized", oversized)
	}
}

// endless is n bytes without a newline.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.n)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.n -= n
	return n, nil
}

func TestReadALineOf100MegabytesInBoundedMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines, oversized, errs := readAll(t, Options{Stdin: &endless{100 << 20}}, Stdin)
	runtime.ReadMemStats(&after)
	if len(lines) > 0 || oversized != 1 || len(errs) > 0 {
		t.Errorf("got %d lines, %d oversized, %v", len(lines), oversized, errs)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes allocated", grown)
	}
}

func TestReadMarksBatches(t *testing.T) {
	a := write(t, "a.log", bytes.Repeat([]byte("0123456\n"), 10))
	b := write(t, "b.log", []byte("b\n"))
	r := open(t, Options{BatchSize: 16, MaxLine: 15}, a, b)
	var firsts []int
	for i := 0; ; i++ {
		batch, err := r.Read(t.Context())
		if err == io.EOF {
			break
		}
		if batch.Path != r.Files()[batch.File] {
			t.Errorf("batch of %s says file %d", batch.Path, batch.File)
		}
		if batch.First {
			firsts = append(firsts, i)
		}
		batch.Release()
	}
	if !slices.Equal(firsts, []int{0, 5}) {
		t.Errorf("first batches are %v", firsts)
	}
}

// Several goroutines read and parse concurrently, as the program does. Run with -race.
func TestReadFeedsWorkers(t *testing.T) {
	var text bytes.Buffer
	for i := range 50_000 {
		fmt.Fprintf(&text, "%d\n", i)
	}
	path := write(t, "a.log", gzipOf(t, text.Bytes()))
	r := open(t, Options{BatchSize: 1024, MaxLine: 100, Batches: 3}, path)
	var wait sync.WaitGroup
	sums := make([]int, 2)
	for i := range sums {
		wait.Go(func() {
			for {
				b, err := r.Read(t.Context())
				if err != nil {
					return
				}
				for line := range b.Lines() {
					n := 0
					for _, c := range line {
						n = n*10 + int(c-'0')
					}
					sums[i] += n
				}
				b.Release()
			}
		})
	}
	wait.Wait()
	if got, want := sums[0]+sums[1], 50_000*49_999/2; got != want {
		t.Errorf("sum is %d, want %d", got, want)
	}
}

func TestProgress(t *testing.T) {
	a := write(t, "a.log", gzipOf(t, bytes.Repeat([]byte("hello\n"), 1000)))
	damaged := write(t, "b.log", append([]byte("\xfd7zXZ\x00"), make([]byte, 1_000_000)...))
	r := open(t, Options{}, a, damaged)
	if read, total := r.Progress(); read != 0 || total < 1_000_000 {
		t.Errorf("begins with %d of %d", read, total)
	}
	drain(t, r)
	if read, total := r.Progress(); read != total {
		t.Errorf("ends with %d of %d", read, total)
	}
	in := open(t, Options{Stdin: strings.NewReader("x\n")}, a, Stdin)
	drain(t, in)
	if read, total := in.Progress(); read == 0 || total != 0 {
		t.Errorf("with standard input ends with %d of %d", read, total)
	}
}

// Close returns at once in each of these states: standard input or a named pipe without
// a writer blocks, the reader waits for a buffer, Read was never called.
func TestClose(t *testing.T) {
	fifo := mkfifo(t)
	in, _ := io.Pipe()
	full := write(t, "a.log", bytes.Repeat([]byte("hello\n"), 1000))
	for _, path := range []string{Stdin, fifo, full} {
		r := open(t, Options{Stdin: in, BatchSize: 8, MaxLine: 7, Batches: 1}, path)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		b, err := r.Read(ctx)
		if path != full && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", path, err)
		}
		cancel()
		for range 2 {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := r.Read(t.Context()); err != ErrClosed {
			t.Errorf("%s: after Close got %v", path, err)
		}
		if b != nil {
			expectLines(t, []string{string(b.Data)}, "hello\n")
			b.Release()
		}
	}
	unread := open(t, Options{}, full)
	unread.Close()
	if _, err := unread.Read(t.Context()); err != ErrClosed {
		t.Errorf("closed before the first Read: got %v", err)
	}
}

// A line without end is skipped below the loop over batches. Close must end that
// skipping too. The file is sparse and would take minutes to read.
func TestCloseWithinALineWithoutEnd(t *testing.T) {
	path := write(t, "hole.log", nil)
	must(t, os.Truncate(path, 1<<40))
	r := open(t, Options{}, path)
	for read := int64(0); read == 0; read, _ = r.Progress() {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := r.Read(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		cancel()
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if read, total := r.Progress(); total != 1<<40 || read == total {
		t.Errorf("read %d of %d", read, total)
	}
}

// A frame may ask for a window of 256 MiB. Such a frame is refused, and nothing is
// allocated.
func TestReadRefusesHugeZstdWindow(t *testing.T) {
	const header = "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00"
	_, _, errs := readAll(t, Options{}, write(t, "a.log", []byte(header)))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "window size exceeded") {
		t.Errorf("got %v", errs)
	}
}

// Standard input arrives in pieces, which batches cut, while the next piece is read.
func TestReadAllOfStandardInput(t *testing.T) {
	var text bytes.Buffer
	var want []string
	for i := range 300_000 {
		want = append(want, fmt.Sprint("line ", i))
		fmt.Fprintln(&text, want[i])
	}
	lines, _, errs := readAll(t, Options{Stdin: &text}, Stdin)
	if !slices.Equal(lines, want) || len(errs) > 0 {
		t.Errorf("%d lines differ from the %d written: %v", len(lines), len(want), errs)
	}
}

// The error of a context that has ended takes precedence over a batch that is ready.
func TestReadEndsWithItsContext(t *testing.T) {
	r := open(t, Options{BatchSize: 8, MaxLine: 7, Batches: 50}, write(t, "a.log", bytes.Repeat([]byte("hello\n"), 1000)))
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := r.Read(ctx); err != nil {
		t.Fatal(err)
	}
	for len(r.out) < 40 {
		runtime.Gosched()
	}
	cancel()
	for range 30 {
		if _, err := r.Read(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestReadANamedPipe(t *testing.T) {
	fifo, data := mkfifo(t), gzipOf(t, []byte("one\ntwo\n"))
	go func() { _ = os.WriteFile(fifo, data, 0) }()
	expectRead(t, Options{}, fifo, "one", "two")
}

func TestReleaseTwicePanics(t *testing.T) {
	r := open(t, Options{}, write(t, "a.log", []byte("x\n")))
	b, err := r.Read(t.Context())
	must(t, err)
	b.Release()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	b.Release()
}

func TestHead(t *testing.T) {
	path := write(t, "a.log", gzipOf(t, []byte("one\ntwo\nthree")))
	for _, c := range []struct {
		given int
		want  []string
	}{{0, nil}, {2, []string{"one", "two"}}, {3, []string{"one", "two", "three"}}, {9, []string{"one", "two", "three"}}} {
		got, err := Head(context.Background(), path, c.given, Options{})
		must(t, err)
		expectLines(t, texts(got), c.want...)
	}
	got, err := Head(context.Background(), Stdin, 1, Options{Stdin: strings.NewReader("in\nout\n")})
	must(t, err)
	expectLines(t, texts(got), "in")
	packed := gzipOf(t, []byte("one\ntwo\n"))
	got, err = Head(context.Background(), write(t, "b.log", packed[:len(packed)-1]), 5, Options{})
	if err == nil {
		t.Error("no error for a file cut short")
	}
	expectLines(t, texts(got), "one", "two")
	if _, err := Head(context.Background(), "no such file", 1, Options{}); err == nil {
		t.Error("no error for a missing file")
	}
}

func TestReadingAllocatesNothingPerLine(t *testing.T) {
	path := write(t, "a.log", bytes.Repeat([]byte("a line of some text\n"), 1_000_000))
	r := open(t, Options{}, path)
	ctx := t.Context()
	lines := 0
	allocs := testing.AllocsPerRun(50, func() {
		b, err := r.Read(ctx)
		must(t, err)
		for range b.Lines() {
			lines++
		}
		b.Release()
	})
	if allocs > 0 {
		t.Errorf("%v allocations in a batch", allocs)
	}
}

// open returns a Reader that is closed at the end.
func open(t *testing.T, o Options, paths ...string) *Reader {
	t.Helper()
	r, err := Open(paths, o)
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func readAll(t *testing.T, o Options, paths ...string) (lines []string, oversized int, errs []error) {
	t.Helper()
	return drain(t, open(t, o, paths...))
}

// expectRead reads files without errors.
func expectRead(t *testing.T, o Options, path string, want ...string) {
	t.Helper()
	lines, _, errs := readAll(t, o, path)
	expectLines(t, lines, want...)
	if len(errs) > 0 {
		t.Errorf("%s: %v", path, errs)
	}
}

func drain(t *testing.T, r *Reader) (lines []string, oversized int, errs []error) {
	t.Helper()
	defer r.Close()
	for {
		b, err := r.Read(t.Context())
		if err == io.EOF {
			return lines, oversized, errs
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for line := range b.Lines() {
			lines = append(lines, string(line))
		}
		oversized += b.Oversized
		b.Release()
	}
}

func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func texts(lines [][]byte) []string {
	var all []string
	for _, line := range lines {
		all = append(all, string(line))
	}
	return all
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o600))
	return path
}

func mkfifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	expect.FIFO(t, path)
	return path
}

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	pack(t, w, data)
	return packed.Bytes()
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	must(t, err)
	pack(t, w, data)
	return packed.Bytes()
}

func pack(t *testing.T, w io.WriteCloser, data []byte) {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
}

type row struct {
	URL    string `parquet:"url"`
	Digest string `parquet:"content_digest"`
}

// indexFile writes a columnar index of a number of URLs.
func indexFile(t *testing.T, urls int) string {
	t.Helper()
	rows := make([]row, urls)
	for i := range rows {
		rows[i] = row{fmt.Sprintf("https://www.example.org/%d", i), fmt.Sprintf("%032x", i/2)}
	}
	path := filepath.Join(t.TempDir(), "index.parquet")
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadAColumnarIndex(t *testing.T) {
	path := indexFile(t, 100_000)
	r, err := Open([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var text []byte
	for {
		b, err := r.Read(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, b.Data...)
		b.Release()
	}
	if n, last := bytes.Count(text, []byte("\n")), "https://www.example.org/99999\t200\t-\t0000000000000000000000000000c34f\n"; n != 100_000 || !bytes.HasSuffix(text, []byte(last)) {
		t.Errorf("%d lines, the last of them\n%s", n, text[max(0, len(text)-200):])
	}
	if read, total := r.Progress(); read != total || total == 0 {
		t.Errorf("read %d of %d bytes", read, total)
	}
}

func TestReadAColumnarIndexFromAPipe(t *testing.T) {
	whole, err := os.ReadFile(indexFile(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open([]string{"-"}, Options{Stdin: bytes.NewReader(whole)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "give the path of the file") {
		t.Errorf("a pipe: %v", err)
	}
}
