// Package files reads finished logs: plain or compressed files, directories of rotated
// logs, standard input. Lines are returned in batches, ready to be parsed on another
// core.
//
//	paths ── Expand ──> files, oldest first ── Reader's goroutine ──> batches ──> Read
//	                                            open, detect compression,
//	                                            decompress, cut into whole lines
//
// The Reader owns one goroutine, which works ahead of the consumer. It fills buffers from a
// fixed set, and the consumer returns each with lines.Batch.Release. So memory is bounded by
// Options.Batches buffers of Options.BatchSize bytes and one decompressor (zstd: a window of at
// most 128 MiB), however long the log or any of its lines. A slow consumer slows the reading.
// Nothing is allocated per line or per batch.
//
// Gzip and zstd are decoded by klauspost/compress. The standard library has no zstd,
// and klauspost/compress unpacks a log of 99 MB from gzip in 70 ms instead of 93 ms
// (BenchmarkGunzip).
//
// A web archive (WARC) is read as the lines of its index (stream/warc), a columnar index (Parquet) as
// the lines of another index (stream/columnar), and a directory of HTML pages as a list of URLs
// (stream/folder).
//
// A line of more than Options.MaxLine bytes is left out and counted. For a file that is
// damaged or cannot be opened, Read returns the whole lines before the damage, then a
// *FileError, and continues with the next file.
package files

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"dustbuster/stream/columnar"
	"dustbuster/stream/lines"
	"dustbuster/stream/warc"
)

// Stdin is the path that names standard input.
const Stdin = "-"

// ErrClosed is the error of Read after Close.
var ErrClosed = errors.New("read logs: reader is closed")

// Options bound what a Reader holds in memory. The zero value is ready to use.
type Options struct {
	BatchSize int       // bytes of a batch, raised to MaxLine+1 if less; 0: 256 KiB, which fits a core's cache and makes the cost of the channel per line negligible
	MaxLine   int       // bytes of a line without its newline; longer lines are left out and counted; 0: 64 KiB
	Batches   int       // batches that may be ready or held by the consumer at once; 0: 8
	Stdin     io.Reader // source of the path "-"; nil: os.Stdin
	Hosts     bool      // lines that name no host are of the host that the path of their log names
	Crawl     bool      // a directory is that of a crawl: the paths are expanded by ExpandCrawl
}

func (o Options) withDefaults() Options {
	o.MaxLine = cmp.Or(max(o.MaxLine, 0), 64<<10)
	o.Batches = cmp.Or(max(o.Batches, 0), 8)
	// A buffer must hold MaxLine+1 bytes. Otherwise a line just at the bound could not be
	// distinguished from a longer one.
	o.BatchSize = max(cmp.Or(max(o.BatchSize, 0), 256<<10), o.MaxLine+1)
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	return o
}

// Reader reads files one after the other. Several goroutines may call Read. The batches
// of a file are returned in order.
type Reader struct {
	options Options
	files   []string
	first   int           // number of the first file; not 0 in a part
	sizes   []int64       // of the files, in bytes
	known   bool          // the sizes of all files are known
	offsets []int64       // of the files: see Resume; nil: all files are read whole
	read    *atomic.Int64 // bytes, shared with the parts
	got     int64         // bytes of the present file

	pool  *lines.Pool
	out   chan result
	start sync.Once
	end   sync.Once
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the goroutine has ended
}

type result struct {
	batch *lines.Batch
	err   error
}

// Open finds the logs of the paths, by the rules and with the errors of Expand, or of
// ExpandCrawl. Open opens no log and starts no goroutine; the first Read does.
func Open(paths []string, o Options) (*Reader, error) {
	find := Expand
	if o.Crawl {
		find = ExpandCrawl
	}
	files, err := find(paths)
	if err != nil {
		return nil, err
	}
	r := newReader(files, o.withDefaults())
	r.read = new(atomic.Int64)
	r.measure()
	return r, nil
}

func newReader(files []string, o Options) *Reader {
	return &Reader{
		options: o,
		files:   files,
		pool:    lines.NewPool(o.Batches),
		out:     make(chan result, o.Batches),
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
	}
}

// Part returns a Reader of one file, by its place in Files. The parts of a Reader may be read side
// by side, instead of the Reader, whose Progress is that of all parts. Each must be closed.
func (r *Reader) Part(i int) *Reader {
	part := newReader(r.files[i:i+1], r.options)
	part.first, part.sizes, part.known, part.read = i, r.sizes[i:i+1], r.known, r.read
	return part
}

// Whole is the offset of a file of which nothing is read: see Resume.
const Whole = math.MaxInt64

// Resume has Read pass over what was dealt with before: for each file, the bytes of its unpacked text
// up to an offset, which is the End of a batch, or Whole. The first batch of a file is returned all
// the same, since its lines tell the format, and so are batches without an End. Of the other lines
// before the offset, those that begin with '#' are returned as the Head of batches without lines,
// since they may name columns. Call Resume before Read.
func (r *Reader) Resume(offsets []int64) { r.offsets = offsets }

// offset returns the offset at which the reading of a file begins.
func (r *Reader) offset(i int) int64 {
	if r.offsets == nil {
		return 0
	}
	return r.offsets[i]
}

// measure notes the sizes of the files.
func (r *Reader) measure() {
	r.known = true
	for _, path := range r.files {
		size := int64(0)
		if info, err := os.Stat(path); path != Stdin && err == nil && info.Mode().IsRegular() {
			size = info.Size()
		} else {
			r.known = false
		}
		r.sizes = append(r.sizes, size)
	}
}

// Files returns the files to read, in order. The caller must not change the slice.
func (r *Reader) Files() []string { return r.files }

// Hosts returns the hosts that the paths of the logs name, by path. It is empty without Options.Hosts,
// and if the paths name fewer than two hosts.
func (r *Reader) Hosts() map[string]string {
	if !r.options.Hosts {
		return nil
	}
	return hostsOf(r.files)
}

// Folders returns the folders of the files, sorted, each once.
func (r *Reader) Folders() []string {
	var all []string
	for _, path := range r.files {
		all = append(all, filepath.Dir(path))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Progress returns how many bytes of the files, as stored on disk, have been read, and
// the size of all files. Total is 0 if the size is unknown, as with standard input. The
// bytes read ahead count, and so do all bytes of a file that was given up. Any
// goroutine may call Progress at any time.
func (r *Reader) Progress() (read, total int64) {
	if r.known {
		for _, size := range r.sizes {
			total += size
		}
	}
	return r.read.Load(), total
}

// Read returns the next batch, which the caller must Release. If the consumer holds
// Options.Batches batches, Read blocks until one is released.
//
// A *FileError means that a file was given up. The caller may count the error and call
// Read again, which continues with the next file. After the last file the error is
// io.EOF. If ctx ends first, the error is that of ctx. After Close the error is
// ErrClosed.
func (r *Reader) Read(ctx context.Context) (*lines.Batch, error) {
	r.start.Do(func() { go r.run() })
	select {
	case <-r.stop:
		return nil, ErrClosed
	default:
	}
	if err := ctx.Err(); err != nil {
		return nil, err // checked even if a batch is ready, so that a busy reader ends too
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

// Close ends the reading and waits for the Reader's goroutine. Batches held by the
// consumer stay valid. A blocked read of standard input or of a named pipe cannot be
// interrupted: the goroutine of such a read ends with its input or with the process.
func (r *Reader) Close() error {
	r.end.Do(func() { close(r.stop) })
	r.start.Do(func() { close(r.done) }) // if never started, there is nothing to wait for
	<-r.done
	return nil
}

func (r *Reader) run() {
	defer close(r.done)
	defer close(r.out)
	for i, path := range r.files {
		r.got = 0
		var err error
		if r.offset(i) != Whole {
			err = r.file(i, path)
		}
		if errors.Is(err, ErrClosed) {
			return
		}
		if r.known {
			r.read.Add(r.sizes[i] - r.got)
		}
		if err != nil && !r.send(result{err: &FileError{path, lines.Cause(err)}}) {
			return
		}
	}
}

// file delivers the lines of one file. The error is nil at the end of the file and
// ErrClosed if the Reader is closed.
func (r *Reader) file(i int, path string) error {
	source, err := r.open(path)
	if err != nil {
		return err
	}
	defer source.Close()
	plain, err := lines.Unpack(bufio.NewReaderSize(source, sourceBuffer))
	if err != nil {
		return err
	}
	defer plain.Close()

	text, err := textOf(plain)
	if err != nil {
		return err
	}
	cut := lines.Splitter{Source: text, MaxLine: r.options.MaxLine, Returns: true}
	for first := true; ; first = false {
		b := r.pool.Take(r.stop, r.options.BatchSize)
		if b == nil {
			return ErrClosed
		}
		b.Data, err = cut.Next(b.Buffer)
		b.Path, b.File, b.First, b.Oversized = path, uint64(r.first+i), first, cut.Oversized
		b.Head, b.End = nil, cut.End()
		cut.Oversized = 0
		if !first && b.End > 0 && b.End <= r.offset(i) {
			b.Head, b.Data, b.Oversized = directives(b.Data), nil, 0
		}
		if len(b.Data)+len(b.Head)+b.Oversized == 0 {
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

// directives moves the lines that begin with '#' to the front, and returns them.
func directives(data []byte) []byte {
	found := data[:0]
	for line := range bytes.Lines(data) {
		if line[0] == '#' {
			found = append(found, line...)
		}
	}
	return found
}

// textOf returns the lines of a file. For a web archive, these are the lines of its
// index. Damage to the file is reported by the reads.
func textOf(plain io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(plain, 16) // little more than the head, so that longer reads bypass this buffer
	head, _ := in.Peek(len(warc.Magic))
	switch {
	case warc.Is(head):
		return warc.NewReader(in), nil
	case bytes.HasPrefix(head, []byte(columnar.Magic)):
		return nil, errors.New("a Parquet file is read at many places: give the path of the file, unpacked, and no pipe")
	}
	return in, nil
}

func (r *Reader) send(next result) bool {
	select {
	case <-r.stop:
		return false
	case r.out <- next:
		return true
	}
}
