package duplicates

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// Read reads archives, and - for the standard input. A file that cannot be read to its end is named in Counts, and the rest is read. Read is called
// once.
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

// readAll reads all archives. An error of pass ends it.
func (f *Finder) readAll(ctx context.Context, paths []string, pass func(*batch) error) error {
	for _, path := range paths {
		var passed error
		err := f.readFile(path, func(b *batch) error {
			passed = pass(b)
			return passed
		})
		switch {
		case passed != nil:
			return passed
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			f.counts.Damaged = append(f.counts.Damaged, fmt.Errorf("read %q: %w", path, err))
		}
	}
	return nil
}

// readFile passes the documents of an archive in batches.
func (f *Finder) readFile(path string, pass func(*batch) error) error {
	b := newBatch()
	err := f.documents(path, func(r *warc.Response) error {
		b.responses = append(b.responses, r)
		if b.bytes += len(r.Body); b.bytes < batchBytes && len(b.responses) < batchDocuments {
			return nil
		}
		full := b
		b = newBatch()
		return pass(full)
	})
	if passed := pass(b); passed != nil {
		return passed
	}
	return err
}

// documents calls each for the documents of an archive. An error of each ends it.
func (f *Finder) documents(path string, each func(*warc.Response) error) error {
	if path == "-" {
		return f.archive(f.o.Stdin, each)
	}
	file, err := os.Open(path)
	if err != nil {
		return lines.Cause(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return errors.New("a directory without web archives (.warc, .warc.gz, .warc.zst, .warc.bz2)")
	}
	return f.archive(file, each)
}

func (f *Finder) archive(in io.Reader, each func(*warc.Response) error) error {
	archive, err := warc.NewResponses(f.done.reader(in), f.o.MaxBody)
	if err != nil {
		return err
	}
	defer func() { f.counts.Skips.Add(archive.Skips) }()
	for {
		r, err := archive.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(r)
		}
		if err != nil {
			return err
		}
	}
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
