package duplicates

import (
	"bufio"
	"context"
	"io"
	"os"
	"runtime"
	"sync"

	"dustbuster/operators/judge/label"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/read/digest"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/lines"
	"dustbuster/stream/warc"

	"golang.org/x/sync/errgroup"
)

// LabelOptions are the settings of Labels.
type LabelOptions struct {
	label.Options
	Rank    func(url []byte) (page, url2 uint64) // of a mined string: contents of the greatest rank are left out first
	MaxBody int64                                // of a document, in bytes; 0: warc.DefaultMaxBody
	Workers int                                  // that make texts; 0: one for each processor
	Read    func(bytes int)                      // is told what is read of the archives; may be nil
}

// labelling is the reading of archives for labels.
type labelling struct {
	o      LabelOptions
	clocks *sketch.Clocks

	mu    sync.Mutex // of what follows
	texts *label.Texts
}

// Labels reads the web archives among some files, and makes the labels of their contents. Other files are passed over,
// and so is what cannot be read: whoever reads the archives for their URLs reports it. archives is the number of web
// archives. The error is that of ctx.
func Labels(ctx context.Context, paths []string, o LabelOptions) (labels *label.Labels, archives int, err error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	l := &labelling{o: o, clocks: sketch.NewClocks(), texts: label.NewTexts(o.Options)}
	for _, path := range paths {
		if !IsArchive(path) {
			continue
		}
		archives++
		if err := l.read(ctx, path); err != nil {
			return nil, archives, err
		}
	}
	return l.texts.Labels(), archives, ctx.Err()
}

// IsArchive reports whether a file is a web archive, plain or compressed.
func IsArchive(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe would wait for a writer
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	plain, err := lines.Unpack(bufio.NewReader(file))
	if err != nil {
		return false
	}
	defer plain.Close()
	head := make([]byte, len(warc.Magic))
	_, err = io.ReadFull(plain, head)
	return err == nil && warc.Is(head)
}

// read takes in the texts of an archive, up to an error of the file.
func (l *labelling) read(ctx context.Context, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil //nolint:nilerr // see Labels
	}
	defer file.Close()
	archive, err := warc.NewResponses(told{file, l.o.Read}, l.o.MaxBody)
	if err != nil {
		return nil //nolint:nilerr // see Labels
	}
	archive.Digests = true
	var working errgroup.Group
	working.SetLimit(l.o.Workers)
	defer working.Wait() //nolint:errcheck // there are no errors
	var b *batch
	pass := func() {
		if of := b; of != nil {
			working.Go(func() error { l.take(of.responses); return nil })
		}
		b = nil
	}
	defer pass()
	for ctx.Err() == nil {
		r, err := archive.Read()
		if err != nil {
			return nil //nolint:nilerr // see Labels
		}
		if b == nil {
			b = newBatch()
		}
		b.responses = append(b.responses, r)
		if b.bytes += len(r.Body); b.bytes >= batchBytes || len(b.responses) >= batchDocuments {
			pass()
		}
	}
	return ctx.Err()
}

// take takes in the texts of some responses.
func (l *labelling) take(responses []*warc.Response) {
	for _, r := range responses {
		number := digest.OfPayload([]byte(r.Digest))
		address, isHTTP := urlnorm.ParseAddress(r.URL)
		mined, plain := address.Mined(nil, longestURL)
		if r.Revisit || number == 0 || !isHTTP || !plain {
			continue
		}
		text := l.clocks.Steady(r.Type, r.Body)
		page, _ := l.o.Rank(mined)
		l.mu.Lock()
		l.texts.Add(number, page, text)
		l.mu.Unlock()
	}
}

// longestURL is the length of a mined string whose content may get a label, in bytes.
const longestURL = 64 << 10

// told tells what is read.
type told struct {
	io.Reader
	tell func(bytes int)
}

func (t told) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if t.tell != nil {
		t.tell(n)
	}
	return n, err
}
