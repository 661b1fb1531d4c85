package pipe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/files"
)

// must ends a test at an error.
var must = expect.NoError

// patience bounds the wait for an expected event.
const patience = time.Minute

// read returns count lines and the number of oversized lines before the last of them.
func read(t *testing.T, r *Reader, count int) (all []string, oversized int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for len(all) < count {
		b, err := r.Read(ctx)
		if err != nil {
			t.Fatalf("%v after %q", err, all)
		}
		for line := range b.Lines() {
			all = append(all, string(line))
		}
		oversized += b.Oversized
		b.Release()
	}
	return all, oversized
}

func want(t *testing.T, r *Reader, lines ...string) {
	t.Helper()
	if got, _ := read(t, r, len(lines)); !slices.Equal(got, lines) {
		t.Fatalf("got %q, want %q", got, lines)
	}
}

// reading calls Read, and sends the error.
func reading(t *testing.T, r *Reader) <-chan error {
	done := make(chan error)
	go func() {
		_, err := r.Read(t.Context())
		done <- err
	}()
	return done
}

func standard(t *testing.T) (*Pipe, *io.PipeWriter) {
	t.Helper()
	in, out := io.Pipe()
	t.Cleanup(func() { _ = out.Close() })
	p, err := NewSet(in).Open("-")
	must(t, err)
	return p, out
}

func write(t *testing.T, w io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Error(err)
	}
}

// Lines are returned as they arrive, however the writes cut them. Lines above the bound
// are counted.
func TestStandardInput(t *testing.T) {
	p, in := standard(t)
	r := NewReader(p, Options{MaxLine: 10})
	go write(t, in, "a\n")
	want(t, r, "a")
	go func() {
		write(t, in, "b")
		write(t, in, "c\nd")
		write(t, in, "\n")
	}()
	want(t, r, "bc", "d")
	go func() {
		write(t, in, strings.Repeat("x", 50))
		write(t, in, "y\ne\n")
	}()
	if got, oversized := read(t, r, 1); got[0] != "e" || oversized != 1 {
		t.Errorf("got %q with %d oversized", got, oversized)
	}
}

// The end of standard input is reported once. A last line without newline is returned,
// and Read blocks until Stop.
func TestEnd(t *testing.T) {
	p, in := standard(t)
	ended := make(chan struct{}, 9)
	r := NewReader(p, Options{Ended: func() { ended <- struct{}{} }})
	go func() {
		write(t, in, "a\nb")
		_ = in.Close()
	}()
	want(t, r, "a", "b")
	done := reading(t, r)
	<-ended
	r.Stop()
	if err := <-done; !errors.Is(err, io.EOF) || len(ended) != 0 {
		t.Errorf("%v, reported %d times more", err, len(ended))
	}
}

// A stopped reader leaves the bytes it received to the next reader, including half a
// line.
func TestNextReader(t *testing.T) {
	p, in := standard(t)
	go write(t, in, "a\nbb")
	first := NewReader(p, Options{})
	want(t, first, "a")
	done := reading(t, first)
	first.Stop()
	if err := <-done; !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	go write(t, in, "b\nc\n")
	next := NewReader(p, Options{})
	if b, err := next.Read(t.Context()); err != nil || !b.First || !strings.HasPrefix(string(b.Data), "bbb\n") {
		t.Errorf("%+v, %v", b, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewReader(p, Options{}).Read(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// named returns a reader of a named pipe, and its path.
func named(t *testing.T) (*Reader, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "access")
	mkfifo(t, path)
	set := NewSet(nil)
	t.Cleanup(func() { set.Keep() })
	p, err := set.Open(path)
	must(t, err)
	return NewReader(p, Options{}), path
}

func mkfifo(t *testing.T, path string) {
	t.Helper()
	expect.FIFO(t, path)
}

// writer opens a named pipe and writes to it.
func writer(t *testing.T, path string, texts ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for _, text := range texts {
		write(t, f, text)
	}
}

// Making a second reader, as a configuration check does, leaves the first reader
// working.
func TestReaderMadeMeanwhile(t *testing.T) {
	p, out := standard(t)
	r := NewReader(p, Options{MaxLine: 100})
	NewReader(p, Options{MaxLine: 3})
	go write(t, out, "longer than three\n")
	want(t, r, "longer than three")
}

// A named pipe outlives its writers. Half a line left by a writer counts as a whole.
func TestNamedPipe(t *testing.T) {
	r, path := named(t)
	writer(t, path, "a\n", "b") // does not block: the pipe is open
	want(t, r, "a", "b")
	for n := range 3 {
		go writer(t, path, fmt.Sprintf("line %d\n", n))
		want(t, r, fmt.Sprintf("line %d", n))
	}
}

// A pipe that replaces another at the same path is read.
func TestNamedPipeMadeAnew(t *testing.T) {
	r, path := named(t)
	writer(t, path, "a\n")
	want(t, r, "a")
	must(t, os.Remove(path))
	mkfifo(t, path)
	go writer(t, path, "b\n")
	want(t, r, "b")
}

// A set has one pipe for all paths of one file. Keep closes the other pipes.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	one, link, other := filepath.Join(dir, "one"), filepath.Join(dir, "link"), filepath.Join(dir, "other")
	mkfifo(t, one)
	mkfifo(t, other)
	must(t, os.Symlink(one, link))
	set := NewSet(strings.NewReader(""))
	open := func(path string) *Pipe {
		p, err := set.Open(path)
		must(t, err)
		return p
	}
	a, b, stdin := open(one), open(other), open(files.Stdin)
	if open(link) != a || open(other) != b || open(files.Stdin) != stdin || a == b || a.Path() != one {
		t.Error("not one pipe for each")
	}
	if _, err := set.Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	set.Keep(b)
	if open(other) != b || open(files.Stdin) != stdin || open(one) == a {
		t.Error("the wrong pipes are kept")
	}
	set.Keep()
	if _, err := os.OpenFile(other, os.O_WRONLY|syscall.O_NONBLOCK, 0); !errors.Is(err, syscall.ENXIO) {
		t.Errorf("somebody still reads: %v", err)
	}
}

// A read error is reported once, as the error of one file.
func TestReadError(t *testing.T) {
	in, out := io.Pipe()
	p, err := NewSet(in).Open("-")
	must(t, err)
	broken := errors.New("broken")
	_ = out.CloseWithError(broken)
	r := NewReader(p, Options{})
	var one *files.FileError
	if _, err := r.Read(t.Context()); !errors.As(err, &one) || !errors.Is(err, broken) {
		t.Error(err)
	}
	time.AfterFunc(10*time.Millisecond, r.Stop)
	if _, err := r.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
