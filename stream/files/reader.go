// Package files reads finished logs: plain or compressed files, directories of
// rotated logs, standard input. Lines come out in batches, ready to be parsed
// on another core.
//
//	paths ── Expand ──> files, oldest first ── Reader's goroutine ──> batches ──> Read
//	                                            open, tell the compression,
//	                                            decompress, cut into whole lines
//
// One goroutine, owned by the Reader, works ahead of its consumer. It fills
// buffers from a fixed set and the consumer gives them back with
// lines.Batch.Release, so memory is bounded by Options.Batches buffers of
// Options.BatchSize bytes and one decompressor (zstd: a window of at most 128
// MiB), however long the log or any of its lines is, and a slow consumer slows
// the reading. Nothing is allocated per line or per batch.
//
// Gzip and zstd are klauspost/compress: zstd is not in the standard library,
// and a log of 99 MB is unpacked from gzip in 70 ms instead of 93 ms
// (BenchmarkGunzip).
//
// A web archive (WARC) is read as the lines of its index (stream/warc).
//
// A line of more than Options.MaxLine bytes is left out and counted. A file
// that is damaged or cannot be opened delivers the whole lines that could be
// read and then a *FileError, and reading goes on with the next file.
package files

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"dustbuster/stream/lines"
	"dustbuster/stream/unpack"
	"dustbuster/stream/warc"
)

// Stdin is the path that names standard input.
const Stdin = "-"

// ErrClosed is what Read returns once the Reader is closed.
var ErrClosed = errors.New("read logs: reader is closed")

// Options bound what a Reader holds in memory. The zero value is ready to use.
type Options struct {
	BatchSize int       // bytes of a batch, raised to MaxLine+1 where it is less; 0: 256 KiB, which fits a core's cache and makes the channel's cost per line vanish
	MaxLine   int       // bytes of a line without its newline; a longer line is left out and counted; 0: 64 KiB
	Batches   int       // batches that may be ready or held by the consumer at once; 0: 8
	Stdin     io.Reader // what the path "-" reads; nil: os.Stdin
}

func (o Options) withDefaults() Options {
	if o.BatchSize <= 0 {
		o.BatchSize = 256 << 10
	}
	if o.MaxLine <= 0 {
		o.MaxLine = 64 << 10
	}
	if o.Batches <= 0 {
		o.Batches = 8
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	// An open line of MaxLine bytes and one more byte must fit, or a line that
	// is just at the bound could never be told from one above it.
	o.BatchSize = max(o.BatchSize, o.MaxLine+1)
	return o
}

// Reader reads files one after the other. Read may be called by several
// goroutines; a file's batches are handed out in order.
type Reader struct {
	options Options
	files   []string
	before  []int64 // bytes of all files before file i; one entry more than files
	known   bool    // all files have a size
	read    atomic.Int64

	pool  *lines.Pool
	out   chan result
	start sync.Once
	end   sync.Once
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the goroutine is gone
}

type result struct {
	batch *lines.Batch
	err   error
}

// Open finds the logs that paths name, as Expand does and with its errors. It
// opens none of them and starts no goroutine; the first Read does.
func Open(paths []string, o Options) (*Reader, error) {
	files, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	r := &Reader{
		options: o,
		files:   files,
		pool:    lines.NewPool(o.Batches),
		out:     make(chan result, o.Batches),
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
	}
	r.measure()
	return r, nil
}

// measure notes where each file begins in the bytes of all.
func (r *Reader) measure() {
	r.known = true
	r.before = make([]int64, 1, len(r.files)+1)
	for i, path := range r.files {
		size := int64(0)
		if info, err := os.Stat(path); path != Stdin && err == nil && info.Mode().IsRegular() {
			size = info.Size()
		} else {
			r.known = false
		}
		r.before = append(r.before, r.before[i]+size)
	}
}

// Files lists what is read, in order. The caller must not change it.
func (r *Reader) Files() []string { return r.files }

// Progress tells how many bytes of the files, as they lie on disk, have been
// taken in, and how many there are in all; total is 0 when that is not known,
// as with standard input. It counts what is read ahead, and all of a file that
// was given up. It may be called from any goroutine at any time.
func (r *Reader) Progress() (read, total int64) {
	if r.known {
		total = r.before[len(r.files)]
	}
	return r.read.Load(), total
}

// Read returns the next batch, which the caller must Release. A consumer that
// holds Options.Batches of them waits here until it gives one back.
//
// A *FileError says that a file is given up: the caller may count it and call
// Read again, which goes on with the next file. After the last file Read
// returns io.EOF; when ctx ends first, its error; after Close, ErrClosed.
func (r *Reader) Read(ctx context.Context) (*lines.Batch, error) {
	r.start.Do(func() { go r.run() })
	select {
	case <-r.stop:
		return nil, ErrClosed
	default:
	}
	if err := ctx.Err(); err != nil {
		return nil, err // also when a batch is ready: a busy reader must end too
	}
	select {
	case <-r.stop:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	case next, ok := <-r.out:
		if !ok {
			return nil, io.EOF
		}
		return next.batch, next.err
	}
}

// Close ends the reading and waits for the Reader's goroutine. Batches held by
// the consumer stay valid. A read of standard input or of a named pipe cannot
// be woken while it blocks: such a read is left behind, to end with its input
// or the process.
func (r *Reader) Close() error {
	r.end.Do(func() { close(r.stop) })
	r.start.Do(func() { close(r.done) }) // never started: nothing to wait for
	<-r.done
	return nil
}

func (r *Reader) run() {
	defer close(r.done)
	defer close(r.out)
	for i, path := range r.files {
		err := r.file(i, path)
		if errors.Is(err, ErrClosed) {
			return
		}
		if r.known {
			r.read.Store(r.before[i+1])
		}
		if err != nil && !r.send(result{err: &FileError{path, bare(err)}}) {
			return
		}
	}
}

// file delivers the lines of one file and returns why it stopped: nil at its
// end, ErrClosed when the Reader is closed.
func (r *Reader) file(i int, path string) error {
	source, err := r.open(path)
	if err != nil {
		return err
	}
	defer source.Close()
	plain, err := unpack.NewReader(bufio.NewReaderSize(counted{source, &r.read, r.stop}, sourceBuffer))
	if err != nil {
		return err
	}
	defer plain.Close()

	cut := Splitter{Source: textOf(plain), MaxLine: r.options.MaxLine}
	for first := true; ; first = false {
		b, ok := r.take()
		if !ok {
			return ErrClosed
		}
		b.Data, err = cut.Next(b.Buffer)
		b.Path, b.File, b.First, b.Oversized = path, uint64(i), first, cut.Oversized
		cut.Oversized = 0
		if len(b.Data) == 0 && b.Oversized == 0 {
			b.Release()
		} else if !r.send(result{batch: b}) {
			return ErrClosed
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// textOf gives the lines of a file: a web archive's are those of its index. What
// is wrong with the file shows when it is read.
func textOf(plain io.Reader) io.Reader {
	in := bufio.NewReaderSize(plain, 16) // hardly more than the head, so that all else goes past it
	if head, _ := in.Peek(len(warc.Magic)); warc.Is(head) {
		return warc.NewReader(in)
	}
	return in
}

// take waits for a buffer to fill. Buffers are made at their first use, so a
// short log costs a short memory.
func (r *Reader) take() (*lines.Batch, bool) {
	select {
	case <-r.stop:
		return nil, false
	case b := <-r.pool.Free:
		if b.Buffer == nil {
			b.Buffer = make([]byte, r.options.BatchSize)
		}
		return b.Hold(), true
	}
}

func (r *Reader) send(next result) bool {
	select {
	case <-r.stop:
		return false
	case r.out <- next:
		return true
	}
}
