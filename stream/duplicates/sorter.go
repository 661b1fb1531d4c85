package duplicates

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"github.com/lanrat/extsort"
)

// record is a document with one of its IDs or keys.
type record struct {
	hi, lo uint64 // the ID, or the key and 0
	doc    uint32
	kind   kind
}

// kind says what an ID names. IDs of different kinds differ, but for noted and revisit.
type kind uint8

const (
	ofBytes kind = iota
	ofText
	noted   // the digest that the crawler noted of a response
	revisit // the same of a revisit
	ofKey
)

func compareRecords(a, b record) int {
	return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo), cmp.Compare(a.kind, b.kind), cmp.Compare(a.doc, b.doc))
}

func encode(r record) ([]byte, error) { return raw([]record{r}), nil }

func decode(b []byte) (record, error) {
	r := make([]record, 1)
	if n := copy(raw(r), b); n != len(b) || n != len(raw(r)) {
		return record{}, fmt.Errorf("a record of %d bytes", len(b))
	}
	return r[0], nil
}

// sorter sorts records on disk.
type sorter struct {
	in     chan record
	out    <-chan record
	errs   <-chan error
	cancel context.CancelFunc
}

// chunks is the number of chunks that the library holds at most: it fills one, sorts one,
// writes one, and two wait.
const chunks = 5

// newSorter starts a sort that takes about so much memory. The caller calls close.
func newSorter(ctx context.Context, dir string, memory int64) *sorter {
	const buffered = 1024
	in := make(chan record, buffered)
	sort, out, errs := extsort.Generic(in, decode, encode, compareRecords, &extsort.Config{
		ChunkSize: int(max(buffered, memory/chunks/int64(unsafe.Sizeof(record{})))), NumWorkers: 1, SortedChanBuffSize: buffered, TempFilesDir: dir,
	})
	ctx, cancel := context.WithCancel(ctx)
	go sort.Sort(ctx) // ends when in is closed, or with ctx; then it closes out
	return &sorter{in, out, errs, cancel}
}

func (s *sorter) add(r record) error {
	select {
	case s.in <- r:
		return nil
	default:
	}
	select {
	case s.in <- r:
		return nil
	case err := <-s.errs:
		return sortError(err)
	}
}

// each passes all records on in their order, after the last add.
func (s *sorter) each(f func(record) error) error {
	close(s.in)
	for r := range s.out {
		if err := f(r); err != nil {
			return err
		}
	}
	if err := <-s.errs; err != nil {
		return sortError(err)
	}
	return nil
}

func sortError(err error) error { return fmt.Errorf("sort on disk: %w", err) }

// close ends the sort, and waits until its files are gone.
func (s *sorter) close() {
	s.cancel()
	for range s.out { //nolint:revive // emptied
	}
}
