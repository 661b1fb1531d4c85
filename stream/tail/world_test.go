package tail_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/tail"

	"github.com/klauspost/compress/zstd"
)

var (
	lineCount = flag.Int("lines", 5000, "numbered lines written in each cell of the rotation matrix")
	long      = flag.Bool("long", false, "resume ten times after each change of a log")
)

// numbered returns line n. No other line equals a piece of the line, or two pieces
// joined.
func numbered(n int) string {
	return fmt.Sprintf("%09d %x %09d\n", n, uint32(n)*2654435761, n)
}

// parseNumbered returns the number of a whole line, or -1.
func parseNumbered(line []byte) int {
	if len(line) < 9 {
		return -1
	}
	n, err := strconv.Atoi(string(line[:9]))
	if err != nil || string(line)+"\n" != numbered(n) {
		return -1
	}
	return n
}

// world is a folder with a log, and a server that writes the log.
type world struct {
	t    testing.TB
	dir  string
	path string

	mu      sync.Mutex
	file    *os.File
	written atomic.Int64
}

func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	w := &world{t: t, dir: dir, path: filepath.Join(dir, "access.log")}
	t.Cleanup(func() { _ = w.file.Close() }) // of no file, too
	return w
}

func (w *world) check(err error) {
	if err != nil {
		w.t.Helper()
		w.t.Error(err)
	}
}

// reopen opens the log at its path, as a server does on USR1.
func (w *world) reopen() {
	file, err := os.OpenFile(w.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	w.check(err)
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.file.Close() // of no file at first
	w.file = file
}

// write writes the next lines, each in one call.
func (w *world) write(count int) {
	for range count {
		w.mu.Lock()
		_, err := io.WriteString(w.file, numbered(int(w.written.Load())))
		w.written.Add(1)
		w.mu.Unlock()
		w.check(err)
	}
}

func (w *world) name(n int) string { return fmt.Sprintf("%s.%d", w.path, n) }

// shift renames the rotated files to make room for a new access.log.1, as logrotate
// does.
func (w *world) shift() {
	last := 1
	for exists(w.name(last)) || exists(w.name(last)+".gz") || exists(w.name(last)+".zst") {
		last++
	}
	for ; last > 1; last-- {
		for _, ending := range []string{"", ".gz", ".zst"} {
			if from := w.name(last-1) + ending; exists(from) {
				w.check(os.Rename(from, w.name(last)+ending))
			}
		}
	}
}

func (w *world) rename() {
	if exists(w.path) {
		w.shift()
		w.check(os.Rename(w.path, w.name(1)))
	}
}

// rotate renames the log, and the writer goes on in a new one.
func (w *world) rotate() {
	w.rename()
	w.reopen()
}

// compress packs a file as gzip does: the plain file goes when the packed file is
// complete.
func (w *world) compress(path string) {
	data, err := os.ReadFile(path)
	w.check(err)
	w.check(os.WriteFile(path+".gz", tail.GzipOf(w.t, data), 0o600))
	w.check(os.Remove(path))
}

// consumer reads from a Reader and counts the lines.
type consumer struct {
	t      testing.TB
	reader *tail.Reader

	mu     sync.Mutex
	counts map[int]int      // number of times each line was delivered
	last   map[uint64]int   // last line number of each generation
	end    map[uint64]int64 // processed up to
	broken []string
	audits []tail.Audit
	total  int
	over   int
	cancel context.CancelFunc
	done   chan struct{}
}

func newConsumer(t testing.TB) *consumer {
	return &consumer{t: t, counts: make(map[int]int)}
}

// start opens a reader and consumes it in the background.
func (c *consumer) start(o tail.Options, from []tail.Position) {
	c.t.Helper()
	o.Audit = func(a tail.Audit) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.audits = append(c.audits, a)
	}
	var err error
	if c.reader, err = tail.Open(o, from); err != nil {
		c.t.Fatal(err)
	}
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(context.Background())
	c.done = make(chan struct{})
	c.last, c.end = make(map[uint64]int), make(map[uint64]int64)
	go func() {
		defer close(c.done)
		for {
			b, err := c.reader.Read(ctx)
			if errors.Is(err, tail.ErrClosed) || errors.Is(err, context.Canceled) {
				return
			}
			c.mu.Lock()
			for line := range b.Lines() {
				c.line(b.File, line)
			}
			if _, known := c.end[b.File]; known == b.First {
				c.broken = append(c.broken, fmt.Sprintf("generation %d: first batch %v", b.File, b.First))
			}
			if b.End <= c.end[b.File] {
				c.broken = append(c.broken, fmt.Sprintf("generation %d: end %d after %d", b.File, b.End, c.end[b.File]))
			}
			c.end[b.File] = b.End
			c.over += b.Oversized
			c.mu.Unlock()
			b.Release()
		}
	}()
}

func (c *consumer) line(generation uint64, line []byte) {
	n := parseNumbered(line)
	if n < 0 {
		c.broken = append(c.broken, string(bytes.Clone(line)))
		return
	}
	if last, ok := c.last[generation]; ok && n <= last {
		c.broken = append(c.broken, fmt.Sprintf("generation %d: line %d after %d", generation, n, last))
	}
	c.last[generation] = n
	c.counts[n]++
	c.total++
}

// stop closes the reader and returns the positions of all lines consumed.
func (c *consumer) stop() []tail.Position {
	c.cancel()
	<-c.done
	must(c.t, c.reader.Close())
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reader.Positions(c.end)
}

func (c *consumer) seen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// await waits until the given number of lines was delivered, as long as lines keep
// coming.
func (c *consumer) await(lines int) {
	c.t.Helper()
	until, before := time.Now().Add(patience), 0
	for seen := c.seen(); seen < lines; seen = c.seen() {
		if seen > before {
			until, before = time.Now().Add(patience), seen
		}
		if time.Now().After(until) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("%d lines of %d came\n%+v\n%+v\n%+v", c.total, lines, c.reader.Stats(), c.audits, c.reader.Positions(c.end))
		}
		time.Sleep(time.Millisecond)
	}
}

// awaitAll waits until the given lines were delivered. Function expect finds missing
// lines.
func (c *consumer) awaitAll(lines map[int]bool) {
	within(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for n := range lines {
			if c.counts[n] == 0 {
				return false
			}
		}
		return true
	})
}

// expect checks that each of the lines 0 to n-1 was delivered once, and none was torn.
// Lines for which mayMiss is true may be missing; expect returns their number.
func (c *consumer) expect(n int, mayMiss func(int) bool) (missed int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var lost []int
	twice := 0
	for i := range n {
		switch {
		case c.counts[i] > 1:
			twice++
		case c.counts[i] == 1:
		case mayMiss != nil && mayMiss(i):
			missed++
		default:
			lost = append(lost, i)
		}
	}
	if len(lost) > 0 || twice > 0 || len(c.broken) > 0 {
		c.t.Errorf("of %d lines %d are lost, the first %d; %d came twice; %d broken: %.3q\n%+v\n%+v", n, len(lost), lost[:min(3, len(lost))], twice, len(c.broken), c.broken, c.reader.Stats(), c.audits)
	}
	return missed
}

func (c *consumer) audited(kind tail.Kind) (events int, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.audits {
		if a.Kind == kind {
			events++
			size += a.Bytes
		}
	}
	return events, size
}

// awaitFile waits until the reader knows the file at a path.
func (c *consumer) awaitFile(path string) {
	c.t.Helper()
	known := within(func() bool {
		device, inode, ok := tail.Identify(path)
		c.mu.Lock()
		defer c.mu.Unlock()
		return ok && slices.ContainsFunc(c.reader.Positions(c.end), func(p tail.Position) bool {
			return p.Device == device && p.Inode == inode && !p.Finished
		})
	})
	if !known {
		c.t.Errorf("%s is not followed", path)
	}
}

// patience bounds the wait for an expected event. A loaded machine needs seconds.
const patience = time.Minute

// within waits until done reports true, and reports whether it did within patience.
func within(done func() bool) bool {
	for until := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			return false
		}
	}
	return true
}

// eventually waits until done reports true, and fails the test after patience.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	if !within(done) {
		t.Fatal("not in time: ", what)
	}
}

// must ends a test at an error.
var must = expect.NoError

func zstdOf(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	must(t, err)
	return w.EncodeAll(data, nil)
}

// exists reports whether a path leads to a file, or is a link.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
