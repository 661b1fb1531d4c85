package duplicates

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"dustbuster/operators/judge/sketch"
)

// spool keeps the documents in temporary files: a record of fixed size for each, with
// places in the files of URLs and shingles.
type spool struct {
	dir                   string
	records, urls, sheets column // sheets holds all shingles of each page
	exact                 bool
	n                     uint32
	record                []byte
}

// Layout of a record, little-endian.
const (
	atDigest   = 0
	atText     = atDigest + sha256.Size
	atWords    = atText + 8
	atFlags    = atWords + 4
	atURL      = atFlags + 4 // the place and the length
	atShingles = atURL + 12
	atMinHash  = atShingles + 12
	spoolBytes = atMinHash + 8*sketch.Size
)

const (
	flagHTML = 1 << iota
	flagRevisit
)

// newSpool makes the files in a directory of their own.
func newSpool(parent string, exact bool) (*spool, error) {
	dir, err := os.MkdirTemp(parent, "dustbuster-near-")
	if err != nil {
		return nil, fmt.Errorf("make temporary directory: %w", err)
	}
	s := &spool{dir: dir, exact: exact, record: make([]byte, spoolBytes)}
	for name, c := range map[string]*column{"records": &s.records, "urls": &s.urls, "shingles": &s.sheets} {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			s.close()
			return nil, fmt.Errorf("make temporary file: %w", err)
		}
		c.file, c.w = file, bufio.NewWriterSize(file, 1<<18)
	}
	return s, nil
}

func (s *spool) close() {
	for _, c := range []*column{&s.records, &s.urls, &s.sheets} {
		if c.file != nil {
			_ = c.file.Close() // nothing of it is needed any more
		}
	}
	_ = os.RemoveAll(s.dir)
}

// column is a file that is written, flushed, and then read.
type column struct {
	file *os.File
	w    *bufio.Writer
	end  int64
}

func (c *column) write(b []byte) (at int64, err error) {
	at = c.end
	n, err := c.w.Write(b)
	c.end += int64(n)
	if err != nil {
		return at, fmt.Errorf("write temporary file: %w", err)
	}
	return at, nil
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
func (s *spool) add(url []byte, page *sketch.Page) error {
	r := s.record
	clear(r)
	at, err := s.urls.write(url)
	if err != nil {
		return err
	}
	putPlace(r[atURL:], at, len(url))
	if page == nil {
		r[atFlags] = flagRevisit
		_, err = s.records.write(r)
		s.n++
		return err
	}
	copy(r[atDigest:], page.Digest[:])
	binary.LittleEndian.PutUint64(r[atText:], page.Text)
	binary.LittleEndian.PutUint32(r[atWords:], uint32(min(page.Words, math.MaxUint32)))
	if page.HTML {
		r[atFlags] = flagHTML
	}
	if s.exact {
		sheet := make([]byte, 0, 4*len(page.Shingles))
		for _, h := range page.Shingles {
			sheet = binary.LittleEndian.AppendUint32(sheet, h)
		}
		if at, err = s.sheets.write(sheet); err != nil {
			return err
		}
		putPlace(r[atShingles:], at, len(sheet))
	}
	for i, h := range page.MinHash {
		binary.LittleEndian.PutUint64(r[atMinHash+8*i:], h)
	}
	_, err = s.records.write(r)
	s.n++
	return err
}

func putPlace(b []byte, at int64, length int) {
	binary.LittleEndian.PutUint64(b, uint64(at))
	binary.LittleEndian.PutUint32(b[8:], uint32(length))
}

// entry is a document of the spool.
type entry struct {
	page    *sketch.Page // the shingles are missing, unless load read it
	revisit bool
	record  []byte
}

func parse(record []byte) entry {
	p := &sketch.Page{Text: binary.LittleEndian.Uint64(record[atText:])}
	copy(p.Digest[:], record[atDigest:])
	p.Words = int(binary.LittleEndian.Uint32(record[atWords:]))
	p.HTML = record[atFlags]&flagHTML != 0
	for i := range p.MinHash {
		p.MinHash[i] = binary.LittleEndian.Uint64(record[atMinHash+8*i:])
	}
	return entry{p, record[atFlags]&flagRevisit != 0, record}
}

// each passes on all documents in their order, without shingles.
func (s *spool) each(f func(doc uint32, e entry) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(s.records.file, 0, s.records.end), 1<<18)
	record := make([]byte, spoolBytes)
	for doc := range s.n {
		if _, err := io.ReadFull(in, record); err != nil {
			return fmt.Errorf("read temporary file: %w", err)
		}
		if err := f(doc, parse(record)); err != nil {
			return err
		}
	}
	return nil
}

// load reads a document with its shingles.
func (s *spool) load(doc uint32) (*sketch.Page, error) {
	e, err := s.entry(doc)
	if err != nil {
		return nil, err
	}
	sheet, err := s.place(&s.sheets, e.record[atShingles:])
	if err != nil {
		return nil, err
	}
	for ; len(sheet) > 0; sheet = sheet[4:] {
		e.page.Shingles = append(e.page.Shingles, binary.LittleEndian.Uint32(sheet))
	}
	return e.page, nil
}

// entry reads a document without its shingles.
func (s *spool) entry(doc uint32) (entry, error) {
	record := make([]byte, spoolBytes)
	if _, err := s.records.file.ReadAt(record, int64(doc)*spoolBytes); err != nil {
		return entry{}, fmt.Errorf("read temporary file: %w", err)
	}
	return parse(record), nil
}

func (s *spool) url(e entry) (string, error) {
	b, err := s.place(&s.urls, e.record[atURL:])
	return string(b), err
}

func (s *spool) place(c *column, b []byte) ([]byte, error) {
	text := make([]byte, binary.LittleEndian.Uint32(b[8:]))
	if len(text) == 0 {
		return nil, nil
	}
	if _, err := c.file.ReadAt(text, int64(binary.LittleEndian.Uint64(b))); err != nil {
		return nil, fmt.Errorf("read temporary file: %w", err)
	}
	return text, nil
}
