package duplicates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"sync/atomic"

	"dustbuster/operators/judge/sketch"
	"dustbuster/stream/lines"
	"dustbuster/stream/warc"

	"golang.org/x/sync/errgroup"
)

// batch is a run of documents, whose sketches one worker makes.
type batch struct {
	responses []*warc.Response
	pages     []*sketch.Page // nil for a revisit
	bytes     int
	done      chan struct{}
}

// A batch is full with so many documents or bytes.
const (
	batchDocuments = 256
	batchBytes     = 1 << 20
)

// Read reads archives, and - for the standard input. A file that cannot be read to its end is named in Counts,
// and the rest is read. Read is called once.
func (f *Finder) Read(ctx context.Context, paths []string) error {
	f.done.measure(paths)
	f.ids = f.newSorter(ctx)
	defer f.ids.close()
	workers := f.o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	inOrder := make(chan *batch, 2*workers)
	group.Go(func() error {
		defer close(inOrder)
		var sketching errgroup.Group
		sketching.SetLimit(workers)
		defer sketching.Wait() //nolint:errcheck // there are no errors
		return f.readAll(ctx, paths, func(b *batch) error {
			select {
			case inOrder <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
			sketching.Go(func() error { b.sketch(f.o.Exact); return nil })
			return nil
		})
	})
	group.Go(func() error { return f.take(ctx, inOrder) })
	if err := group.Wait(); err != nil {
		return err
	}
	if err := f.spool.flush(); err != nil {
		return err
	}
	return f.joinEqual()
}

// sketch makes the pages, with all shingles if they are needed.
func (b *batch) sketch(all bool) {
	defer close(b.done)
	for _, r := range b.responses {
		var page *sketch.Page
		switch {
		case r.Revisit:
		case all:
			page = sketch.PageOf(r.Type, r.Body)
		default:
			page = &sketch.Page{Sketch: sketch.Of(r.Type, r.Body)}
		}
		r.Body = nil
		b.pages = append(b.pages, page)
	}
}

// take adds the documents in the order of the archives.
func (f *Finder) take(ctx context.Context, inOrder <-chan *batch) error {
	for b := range inOrder {
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i, r := range b.responses {
			if err := f.add(r, b.pages[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAll passes the documents of all archives on, in batches. An error of pass ends it.
func (f *Finder) readAll(ctx context.Context, paths []string, pass func(*batch) error) error {
	for _, path := range paths {
		b := newBatch()
		for r, err := range f.documents(path) {
			if err != nil {
				f.counts.Damaged = append(f.counts.Damaged, fmt.Errorf("read %q: %w", path, err))
				break
			}
			b.responses = append(b.responses, r)
			if b.bytes += len(r.Body); b.bytes < batchBytes && len(b.responses) < batchDocuments {
				continue
			}
			if err := pass(b); err != nil {
				return err
			}
			b = newBatch()
		}
		if err := cmp.Or(pass(b), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// documents lists the documents of an archive, up to an error.
func (f *Finder) documents(path string) iter.Seq2[*warc.Response, error] {
	return func(yield func(*warc.Response, error) bool) {
		in, err := f.open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		archive, err := warc.NewResponses(f.done.reader(in), f.o.MaxBody)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { f.counts.Skips.Add(archive.Skips) }()
		for {
			r, err := archive.Read()
			if err == io.EOF || !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (f *Finder) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(f.o.Stdin), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, lines.Cause(err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close() //nolint:errcheck // nothing was read
		return nil, errors.New("a directory without web archives (.warc, .warc.gz, .warc.zst, .warc.bz2)")
	}
	return file, nil
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// progress counts bytes of the archives as they are stored.
type progress struct{ read, total atomic.Int64 }

// measure adds up the sizes of the files. The total stays 0 if one is not known.
func (p *progress) measure(paths []string) {
	total := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.Mode().IsRegular() {
			return
		}
		total += info.Size()
	}
	p.total.Store(total)
}

func (p *progress) reader(in io.Reader) io.Reader { return &counted{in, &p.read} }

type counted struct {
	in io.Reader
	n  *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// Progress returns how many bytes of the archives have been read, of how many; 0 if that is
// not known.
func (f *Finder) Progress() (done, total int64) { return f.done.read.Load(), f.done.total.Load() }
