// Package columnar reads a columnar index of a crawl: an Apache Parquet file with a row for each
// fetched URL, as Common Crawl publishes it (commoncrawl.org, "Columnar Index"). A Reader reads the
// file as the lines of another index that operators/read/weblog parses: CDXJ if the rows have times,
// and otherwise a list of URLs (urllist).
//
//	url                   content_digest  fetch_status  warc_record_length  fetch_time
//	https://example.org/  3EM7YXZB...     200           2112                2026-01-02 15:04:05
//
//	- 20260102150405 {"url":"https://example.org/","status":"200","digest":"3EM7YXZB..."}
//
// A file must have the first two columns. The status is 200 where the file has none. Other columns are
// not read. Rows without a URL are left out. Memory is a page of each column read, as the writer of the
// file chose its size: a megabyte or so.
//
// Pages are decoded by parquet-go, which is kept well and reads all encodings. It trusts the offsets and
// sizes in a file: a panic is returned as damage of the file, and a page may claim 2 GB of memory. So read
// only files of a publisher that you trust.
package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Magic is the beginning, and the end, of every file.
const Magic = "PAR1"

// column is a column that is read.
type column int

const (
	url column = iota
	digest
	status
	length
	fetched
	columns
)

var names = [columns]string{"url", "content_digest", "fetch_status", "warc_record_length", "fetch_time"}

// Reader reads the lines of the index. A Reader is not safe for concurrent use.
type Reader struct {
	groups []parquet.RowGroup // that are left
	places [columns]int       // of the columns in a group; -1: the file has no such column
	second time.Duration      // the unit of fetched
	rows   int64              // left of the present group
	open   [columns]*cells    // of the present group
	text   []byte
	unread []byte // the part of text not read yet
}

// NewReader returns a reader of a file of size bytes. An error says what the file lacks.
func NewReader(file io.ReaderAt, size int64) (r *Reader, err error) {
	defer damage(&err)
	if err := checkFooter(file, size); err != nil {
		return nil, err
	}
	index, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	r = &Reader{groups: index.RowGroups()}
	for c, name := range names {
		leaf, ok := index.Schema().Lookup(name)
		switch {
		case ok && leaf.MaxRepetitionLevel > 0:
			return nil, fmt.Errorf("the column %q has several values in a row", name)
		case ok:
			r.places[c] = leaf.ColumnIndex
		case column(c) <= digest:
			return nil, fmt.Errorf("no column %q: an index of a crawl has the columns url and content_digest", name)
		default:
			r.places[c] = -1
		}
		if ok && column(c) == fetched {
			r.second = unit(leaf.Node.Type())
		}
	}
	return r, nil
}

// checkFooter looks for a footer that fits into the file: parquet-go allocates as many bytes as it claims.
func checkFooter(file io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(tail)+len(Magic)) {
		return io.ErrUnexpectedEOF
	}
	if _, err := file.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return err
	}
	if claimed := int64(binary.LittleEndian.Uint32(tail[:])); string(tail[4:]) != Magic || claimed > size-int64(len(tail)+len(Magic)) {
		return errors.New("the file has no end: it is torn, or still being written")
	}
	return nil
}

// unit returns the unit of a column of times; 0: it is none.
func unit(t parquet.Type) time.Duration {
	if t.Kind() == parquet.Int96 {
		return time.Nanosecond
	}
	if logical := t.LogicalType(); logical != nil {
		if at, ok := logical.Value.(*format.TimestampType); ok && at.Unit.Value != nil {
			return at.Unit.Value.Duration()
		}
	}
	return 0
}

// damage returns a panic of parquet-go as an error.
func damage(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("damaged Parquet file: %v", cause)
	}
}

// Read returns the next bytes of the lines. For a damaged file, Read returns the lines of the rows
// before the damage, and then an error.
func (r *Reader) Read(p []byte) (n int, err error) {
	for len(r.unread) == 0 {
		if err := r.row(); err != nil {
			return 0, err
		}
	}
	n = copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// Close closes the columns.
func (r *Reader) Close() error {
	for _, c := range r.open {
		if c != nil {
			_ = c.pages.Close() // nothing is written
		}
	}
	r.open = [columns]*cells{}
	return nil
}

// row makes the line of the next row. The row has none if it has no URL.
func (r *Reader) row() (err error) {
	defer damage(&err)
	for r.rows == 0 {
		if len(r.groups) == 0 {
			return io.EOF
		}
		r.nextGroup()
	}
	r.rows--
	var row [columns]parquet.Value
	for c, open := range r.open {
		if open == nil {
			continue
		}
		if row[c], err = open.next(); err != nil {
			return fmt.Errorf("read column %q: %w", names[c], unexpected(err))
		}
	}
	r.unread = r.line(&row)
	return nil
}

// unexpected returns the error of a column that ends before the others.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *Reader) nextGroup() {
	_ = r.Close()
	group := r.groups[0]
	r.groups, r.rows = r.groups[1:], group.NumRows()
	for c, place := range r.places {
		if place >= 0 {
			r.open[c] = &cells{pages: group.ColumnChunks()[place].Pages()}
		}
	}
}

// line returns the line of a row.
func (r *Reader) line(row *[columns]parquet.Value) []byte {
	if row[url].IsNull() || len(row[url].ByteArray()) == 0 {
		return nil
	}
	code := number(row[status], "200")
	if at, ok := r.time(row[fetched]); ok {
		r.text = append(at.AppendFormat(append(r.text[:0], "- "...), "20060102150405"), ` {"url":"`...)
		r.text = appendQuoted(r.text, row[url].ByteArray())
		r.text = append(append(r.text, `","status":"`...), code...)
		r.text = append(r.text, `","digest":"`...)
		r.text = append(appendQuoted(r.text, bytesOf(row[digest])), "\"}\n"...)
		return r.text
	}
	r.text = append(appendWord(r.text[:0], row[url].ByteArray()), '\t')
	r.text = append(append(r.text, code...), '\t')
	r.text = append(append(r.text, number(row[length], "-")...), '\t')
	r.text = append(appendWord(r.text, bytesOf(row[digest])), '\n')
	return r.text
}

// time returns the time of a value.
func (r *Reader) time(v parquet.Value) (time.Time, bool) {
	switch {
	case v.IsNull() || r.second == 0:
		return time.Time{}, false
	case v.Kind() == parquet.Int96: // nanoseconds of a day, and the Julian day, as Spark and Hive write
		i := v.Int96()
		const epoch = 2_440_588
		return time.Unix((int64(i[2])-epoch)*24*60*60, int64(i[1])<<32|int64(i[0])).UTC(), true
	case v.Kind() == parquet.Int64:
		perSecond := int64(time.Second / r.second)
		return time.Unix(v.Int64()/perSecond, v.Int64()%perSecond*int64(r.second)).UTC(), true
	}
	return time.Time{}, false
}

// number returns a whole number as text; or otherwise where the value is none.
func number(v parquet.Value, otherwise string) string {
	switch {
	case v.IsNull():
	case v.Kind() == parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	case v.Kind() == parquet.Int64:
		return strconv.FormatInt(v.Int64(), 10)
	}
	return otherwise
}

// bytesOf returns the text of a value; nil if it is none.
func bytesOf(v parquet.Value) []byte {
	if v.Kind() != parquet.ByteArray && v.Kind() != parquet.FixedLenByteArray {
		return nil
	}
	return v.ByteArray()
}

// appendWord appends text that stands between tabs. Control bytes, which no URL has, are escaped as in URLs.
func appendWord(b, text []byte) []byte {
	for _, c := range text {
		b = appendByte(b, c)
	}
	return b
}

// appendQuoted appends text that stands in a JSON string. Bytes that are not UTF-8 stay unchanged.
func appendQuoted(b, text []byte) []byte {
	for _, c := range text {
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = appendByte(b, c)
	}
	return b
}

func appendByte(b []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	if c < 0x20 || c == 0x7f {
		return append(b, '%', digits[c>>4], digits[c&15])
	}
	return append(b, c)
}

// cells reads the values of a column in a group of rows, one by one.
type cells struct {
	pages  parquet.Pages
	values parquet.ValueReader // of the present page; nil before the first
	page   parquet.Page
	ready  []parquet.Value
	space  [256]parquet.Value
}

// next returns the next value. It is valid until the next call.
func (c *cells) next() (parquet.Value, error) {
	for len(c.ready) == 0 {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return parquet.Value{}, err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.space[:])
		c.ready = c.space[:n]
		switch {
		case errors.Is(err, io.EOF) && n == 0:
			parquet.Release(c.page)
			c.values = nil
		case err != nil && !errors.Is(err, io.EOF):
			return parquet.Value{}, err
		case n == 0:
			return parquet.Value{}, io.ErrNoProgress
		}
	}
	v := c.ready[0]
	c.ready = c.ready[1:]
	return v, nil
}
