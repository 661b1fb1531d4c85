package duplicates

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unsafe"

	"dustbuster/operators/judge/sketch"
)

// spool keeps the documents in temporary files: a record of fixed size for each, with
// places in the files of URLs and shingles.
type spool struct {
	dir                   string
	records, urls, sheets column // sheets holds all shingles of each page
	exact                 bool
	n                     uint32
}

// stored is the record of a document.
type stored struct {
	sketch.Sketch
	text    uint64
	url     place
	sheet   place // of length 0 unless Exact
	revisit bool  // there is no sketch
}

// place is a part of a column.
type place struct{ at, length int64 }

// raw returns the memory of values without pointers. The files hold it as it is, because no other process
// reads them.
func raw[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), uintptr(len(values))*unsafe.Sizeof(*new(T)))
}

// newSpool makes the files in a directory of their own.
func newSpool(parent string, exact bool) (*spool, error) {
	dir, err := os.MkdirTemp(parent, "dustbuster-near-")
	if err != nil {
		return nil, fmt.Errorf("make temporary directory: %w", err)
	}
	s := &spool{dir: dir, exact: exact}
	for name, c := range map[string]*column{"records": &s.records, "urls": &s.urls, "shingles": &s.sheets} {
		if c.file, err = os.Create(filepath.Join(dir, name)); err != nil {
			s.close()
			return nil, fmt.Errorf("make temporary file: %w", err)
		}
		c.w = bufio.NewWriterSize(c.file, 1<<18)
	}
	return s, nil
}

func (s *spool) close() {
	for _, c := range []*column{&s.records, &s.urls, &s.sheets} {
		_ = c.file.Close() // nothing of it is needed any more
	}
	_ = os.RemoveAll(s.dir)
}

// column is a file that is written, flushed, and then read.
type column struct {
	file *os.File
	w    *bufio.Writer
	end  int64
}

func (c *column) write(b []byte) (place, error) {
	p := place{c.end, int64(len(b))}
	c.end += p.length
	if _, err := c.w.Write(b); err != nil {
		return p, fmt.Errorf("write temporary file: %w", err)
	}
	return p, nil
}

func (c *column) read(into []byte, at int64) error {
	if _, err := c.file.ReadAt(into, at); err != nil {
		return fmt.Errorf("read temporary file: %w", err)
	}
	return nil
}

// flush makes what was written readable.
func (s *spool) flush() error {
	err := errors.Join(s.records.w.Flush(), s.urls.w.Flush(), s.sheets.w.Flush())
	if err != nil {
		return fmt.Errorf("write temporary file: %w", err)
	}
	return nil
}

// add writes the next document. page is nil for a revisit.
func (s *spool) add(url []byte, page *sketch.Page) (err error) {
	next := make([]stored, 1)
	d := &next[0]
	if d.url, err = s.urls.write(url); err != nil {
		return err
	}
	if d.revisit = page == nil; !d.revisit {
		d.Sketch, d.text = page.Sketch, page.Text
	}
	if !d.revisit && s.exact {
		if d.sheet, err = s.sheets.write(raw(page.Shingles)); err != nil {
			return err
		}
	}
	_, err = s.records.write(raw(next))
	s.n++
	return err
}

// each passes on all documents in their order. A document is valid until f returns.
func (s *spool) each(f func(doc uint32, d *stored) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(s.records.file, 0, s.records.end), 1<<18)
	next := make([]stored, 1)
	for doc := range s.n {
		if _, err := io.ReadFull(in, raw(next)); err != nil {
			return fmt.Errorf("read temporary file: %w", err)
		}
		if err := f(doc, &next[0]); err != nil {
			return err
		}
	}
	return nil
}

// entry reads a document.
func (s *spool) entry(doc uint32) (*stored, error) {
	d := make([]stored, 1)
	return &d[0], s.records.read(raw(d), int64(doc)*int64(len(raw(d))))
}

// load reads the page of a document, with its shingles.
func (s *spool) load(doc uint32) (*sketch.Page, error) {
	d, err := s.entry(doc)
	if err != nil {
		return nil, err
	}
	page := &sketch.Page{Sketch: d.Sketch, Text: d.text, Shingles: make([]uint32, d.sheet.length/4)}
	return page, s.sheets.read(raw(page.Shingles), d.sheet.at)
}

func (s *spool) url(d *stored) (string, error) {
	url := make([]byte, d.url.length)
	err := s.urls.read(url, d.url.at)
	return string(url), err
}
