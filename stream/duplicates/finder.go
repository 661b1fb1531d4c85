// Package duplicates finds the clusters of near-duplicate documents in web archives, on
// disk and in bounded memory. operators/judge/near has the algorithm.
//
//	archives ──> documents ──> sketches ──> spool (a file)
//	             stream/warc   workers        │  └─> IDs ──> sort ──> join the equal
//	                                          └─> keys ──> sort ──> compare, join
//
// The spool holds a record of 1,120 bytes for each document, the URLs, and with Exact all
// shingles (4 bytes each, at most 16 KiB a document). IDs, at most three a document, and keys are
// sorted on disk: 25 bytes each. All files are temporary.
//
// Memory is Options.Memory, 5 bytes a document for the clusters, 8 more while they are listed,
// at most 8 MiB for pairs that were compared, and a few bodies for each worker. A comparison
// reads two records of the spool, which come from the page cache if there is one.
//
// The sort is github.com/lanrat/extsort.
package duplicates

import (
	"context"
	"encoding/binary"
	"io"

	"dustbuster/operators/judge/near"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/warc"
)

// Options are the settings of a Finder.
type Options struct {
	near.Options           // Counters follows from Memory
	Memory       int64     // bytes, for sorting and counting; 0: DefaultMemory
	Dir          string    // of temporary files; "": that of the system
	Stdin        io.Reader // what the path - stands for
	MaxBody      int64     // of a document, in bytes; 0: warc.DefaultMaxBody
	Workers      int       // that make sketches; 0: one for each processor
}

// DefaultMemory is the default of Options.Memory.
const DefaultMemory = 256 << 20

// Shares of the memory. The rest is for buffers, and for garbage not yet collected.
const (
	sortShare  = 0.4
	countShare = 0.1
)

// Finder finds the clusters of near-duplicates: Read reads the archives, Match joins the
// near-duplicates, Clusters lists the clusters. Progress may be called by other goroutines.
type Finder struct {
	o      Options
	spool  *spool
	forest near.Forest
	copies bits // documents with the text of one before
	ids    *sorter
	counts Counts
	done   progress
}

// Counts are what a Finder read and did.
type Counts struct {
	Documents int64 // responses and revisits
	Revisits  int64
	Damaged   []error // files that could not be read to their end
	Skips     warc.Skips
	near.Counts
}

// New returns a Finder with files of its own, which Close removes. The error is of the
// options, or of the temporary directory.
func New(o Options) (*Finder, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	s, err := newSpool(o.Dir, o.Exact)
	if err != nil {
		return nil, err
	}
	return &Finder{o: o, spool: s}, nil
}

// Close removes the temporary files.
func (f *Finder) Close() { f.spool.close() }

// Counts returns what was read and done so far.
func (f *Finder) Counts() Counts { return f.counts }

func (f *Finder) newSorter(ctx context.Context) *sorter {
	return newSorter(ctx, f.spool.dir, int64(sortShare*float64(f.o.Memory)))
}

// add takes a document; page is nil for a revisit.
func (f *Finder) add(r *warc.Response, page *sketch.Page) error {
	doc := f.forest.Add()
	f.counts.Documents++
	if err := f.spool.add(urlnorm.Escape(nil, r.URL, "#"), page); err != nil {
		return err
	}
	if page == nil {
		f.counts.Revisits++
		return f.name(near.NotedID(r.Digest), doc, revisit)
	}
	if r.Digest != "" {
		if err := f.name(near.NotedID(r.Digest), doc, noted); err != nil {
			return err
		}
	}
	if id, ok := f.o.TextID(page); ok {
		if err := f.name(id, doc, ofText); err != nil {
			return err
		}
	}
	return f.name(near.BytesID(&page.Sketch), doc, ofBytes)
}

func (f *Finder) name(id near.ID, doc uint32, k kind) error {
	return f.ids.add(record{binary.BigEndian.Uint64(id[:]), binary.BigEndian.Uint64(id[8:]), doc, k})
}

// joinEqual joins the documents of one content. A revisit joins the first response whose
// digest it has. Responses are not joined by the digest that the crawler noted.
func (f *Finder) joinEqual() error {
	var first record
	f.copies = newBits(f.forest.Len())
	begun := false
	return f.ids.each(func(r record) error {
		if !begun || r.hi != first.hi || r.lo != first.lo {
			first, begun = r, true
			return nil
		}
		if r.kind == noted {
			return nil
		}
		f.forest.Join(first.doc, r.doc)
		if r.kind == ofText {
			f.copies.set(r.doc)
		}
		return nil
	})
}

// Match joins near-duplicates. Match is called once, after Read.
func (f *Finder) Match(ctx context.Context) error {
	f.o.Counters = min(int(countShare*float64(f.o.Memory)/4), 2*sketch.Size*f.forest.Len())
	keysOf := f.o.NewKeys()
	err := f.originals(ctx, func(_ uint32, d *stored) error { keysOf.Count(&d.Sketch); return nil })
	if err != nil {
		return err
	}
	keys := f.newSorter(ctx)
	defer keys.close()
	var list []uint64
	err = f.originals(ctx, func(doc uint32, d *stored) error {
		list = keysOf.Of(list[:0], &d.Sketch)
		for _, key := range list {
			if err := keys.add(record{hi: key, doc: doc, kind: ofKey}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	m := near.Matcher{Forest: &f.forest, Load: f.spool.load, Alike: f.o.Alike}
	err = keys.each(func(r record) error { return m.Add(r.hi, r.doc) })
	f.counts.Counts = m.Counts
	return err
}

// originals passes on the first document of each text.
func (f *Finder) originals(ctx context.Context, each func(doc uint32, d *stored) error) error {
	return f.spool.each(func(doc uint32, d *stored) error {
		if doc%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if d.revisit || f.copies.has(doc) {
			return nil
		}
		return each(doc, d)
	})
}

// bits is a set of documents.
type bits []uint64

func newBits(n int) bits           { return make(bits, (n+63)/64) }
func (b bits) set(doc uint32)      { b[doc/64] |= 1 << (doc % 64) }
func (b bits) has(doc uint32) bool { return b[doc/64]&(1<<(doc%64)) != 0 }
