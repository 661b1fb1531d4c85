// Package warc reads a web archive (ISO 28500, WARC 1.0 and 1.1) in three ways. An Archive
// finds the recorded response of a URL in a file. Responses reads the decoded documents of a
// stream, and skips what is damaged. A Reader reads a stream as an index of the archive: one
// line of CDXJ per response, in the form that operators/read/weblog parses.
//
//   - 2006-01-02T15:04:05Z {"url":"https://www.example.org/","status":"200","digest":"sha1:3EM7..."}
//
// The responses are the records of HTTP responses and of revisits. A revisit holds only
// the headers, and the digest of the response seen before. Of a request only the method is
// read, which becomes that of its response ("method":"POST"): the answer to a POST is no page
// of its URL. All other records are skipped. The digest is the one noted by the crawler, or else
// the SHA-1 of the body. A truncated record has no digest. Decompression of the stream, and
// the decision which responses are web pages, belong to other packages.
//
// The reader examines eight headers of each record and the first line of the block. It skips the
// rest, unless a digest must be computed. So memory is a buffer of 64 KiB and the headers of a
// few records, however long a record is. The
// existing libraries (internetarchive/gowarc, nlnwa/gowarc) are made to write, validate and
// replay archives. For that, they keep each block in memory or in a file, and bring an HTTP
// client with DNS and TLS, or Prometheus. Calling them would take more code than is here.
package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Magic is the beginning of every archive.
const Magic = "WARC/"

// Is reports whether a stream is an archive, by its first bytes.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }

// MaxHeader bounds a line of a record's header, in bytes.
const MaxHeader = 64 << 10

// Reader reads the lines of the index. A Reader is not safe for concurrent use.
type Reader struct {
	in     *bufio.Reader
	at     int64 // bytes read of the archive
	start  int64 // offset of the present record
	line   []byte
	unread []byte // the part of line not read yet
	head   header
	held   pairing[string] // lines without their end
	err    error
}

// NewReader returns a reader of an uncompressed archive.
func NewReader(archive io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(archive, MaxHeader)}
}

// Read returns the next bytes of the index. For a damaged or torn archive, Read returns the
// lines of the records before the damage, and then an error with its offset.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.unread) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.record()
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// record reads a record, and makes lines of the responses whose method is known.
func (r *Reader) record() {
	err := r.header()
	if err == nil {
		err = whole(r.block())
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read WARC record at byte %d: %w", r.start, err)
	}
	r.err = err
	r.line = r.line[:0]
	for {
		line, method, ok := r.held.next(longestPairing, err != nil)
		if !ok {
			break
		}
		r.line = append(r.line, line...)
		if method != "" && method != http.MethodGet {
			r.line = append(r.line, `","method":"`...)
			r.line = append(r.line, method...)
		}
		r.line = append(r.line, "\"}\n"...)
	}
	r.unread = r.line
}

// whole turns the end of the archive into an error if more bytes must follow.
func whole(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// block reads the first line of a block, if needed, and skips the rest.
func (r *Reader) block() error {
	left := r.head.length
	if err := r.peekMethod(); err != nil {
		return err
	}
	if !r.head.isAnswer() {
		r.held.request(&r.head)
		return r.skip(left)
	}
	status, err := r.answer()
	if err != nil {
		return err
	}
	r.held.answer(&r.head, string(r.head.appendLine(r.line[:0], status)))
	return nil
}

// answer reads the status of an answer, and its digest, and skips the rest.
func (r *Reader) answer() (status string, err error) {
	status = "-"
	first, err := r.in.Peek(int(min(r.head.length, maxFirstLine)))
	if err != nil {
		return status, err
	}
	if s, ok := statusOf(first); ok {
		status = s
	}
	return status, r.digestAndSkip(status)
}

// peekMethod reads the method of a request, and leaves the block unread.
func (r *Reader) peekMethod() error {
	if string(r.head.kind) != "request" {
		return nil
	}
	first, err := r.in.Peek(int(min(r.head.length, maxFirstLine)))
	if err == nil {
		r.head.method = methodOf(first)
	}
	return err
}

// digestAndSkip skips the block of an answer. If its body is a document whose digest the crawler
// did not note, the digest becomes that of the body.
func (r *Reader) digestAndSkip(status string) error {
	h := &r.head
	if len(h.digest) > 0 || h.truncated || string(h.kind) != "response" || status[0] != '2' {
		return r.skip(h.length)
	}
	block := io.LimitedReader{R: r.in, N: h.length}
	h.digest = payloadDigest(h.digest, &block)
	r.at += h.length - block.N
	return r.skip(block.N)
}

// maxFirstLine is enough for "HTTP/1.1 200 OK", and for a method.
const maxFirstLine = 64

// statusOf returns the status in the first line of an HTTP response.
func statusOf(b []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(b, []byte("HTTP/"))
	space := bytes.IndexByte(rest, ' ')
	if !ok || space < 0 || len(rest) < space+4 {
		return "", false
	}
	status := rest[space+1 : space+4]
	for _, c := range status {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return string(status), len(rest) == space+4 || rest[space+4] == ' ' || rest[space+4] == '\r' || rest[space+4] == '\n'
}

// skip skips n bytes piece by piece, so that a hostile length cannot overflow.
func (r *Reader) skip(n int64) error {
	for n > 0 {
		done, err := r.in.Discard(int(min(n, 1<<20)))
		r.at += int64(done)
		n -= int64(done)
		if err != nil {
			return err
		}
	}
	return nil
}

// readLine returns the next line without its end. The line is valid until the next
// read.
func (r *Reader) readLine() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	r.at += int64(len(line))
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("a header of more than %d bytes", MaxHeader)
	case err == io.EOF && len(line) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// next reads a record, of which head stays, with the digest of an answer if digests is set. The error is io.EOF if no
// record follows.
func (r *Reader) next(digests bool) error {
	if err := r.header(); err != nil {
		return err
	}
	if err := r.peekMethod(); err != nil {
		return whole(err)
	}
	if digests && r.head.isAnswer() {
		status, err := r.answer()
		r.head.page = status[0] == '2'
		return whole(err)
	}
	return whole(r.skip(r.head.length))
}

// header reads the header of the next record, and the empty lines before the record.
// The error is io.EOF if no record follows.
func (r *Reader) header() error {
	line, err := []byte(nil), error(nil)
	for len(line) == 0 {
		r.start = r.at
		if line, err = r.readLine(); err != nil {
			return err
		}
	}
	if !Is(line) {
		return fmt.Errorf("expected %s at the beginning of a record, found %.20q", Magic, line)
	}
	r.head.reset()
	for {
		line, err := r.readLine()
		switch {
		case err != nil:
			return whole(err)
		case len(line) == 0:
			return r.head.check()
		}
		if err := r.head.add(line); err != nil {
			return err
		}
	}
}

// header holds the needed headers of a record.
type header struct {
	kind, url, date, digest, content []byte
	id, others                       []byte // the record's name; the names of the records of the same exchange, each with a blank after it
	method                           string // of a request, once its block was looked at
	length                           int64
	truncated                        bool
	page                             bool // the status of an answer begins with 2; known only with its digest
}

func (h *header) reset() {
	*h = header{kind: h.kind[:0], url: h.url[:0], date: h.date[:0], digest: h.digest[:0], content: h.content[:0],
		id: h.id[:0], others: h.others[:0], length: -1}
}

// maxOthers bounds header.others, in bytes. Crawlers name one or two records.
const maxOthers = 4 << 10

func (h *header) add(line []byte) error {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || line[0] == ' ' || line[0] == '\t' { // the rest of a folded header, none of which is needed
		return nil
	}
	value = bytes.Trim(value, " \t")
	is := func(other string) bool { return bytes.EqualFold(name, []byte(other)) }
	switch {
	case is("WARC-Type"):
		h.kind = append(h.kind[:0], value...)
	case is("WARC-Target-URI"):
		h.url = append(h.url[:0], bytes.TrimSuffix(bytes.TrimPrefix(value, []byte("<")), []byte(">"))...)
	case is("WARC-Date"):
		h.date = append(h.date[:0], value...)
	case is("WARC-Payload-Digest"):
		h.digest = append(h.digest[:0], value...)
	case is("WARC-Record-ID"):
		h.id = append(h.id[:0], value...)
	case is("WARC-Concurrent-To"):
		if len(h.others)+len(value) < maxOthers {
			h.others = append(append(h.others, value...), ' ')
		}
	case is("WARC-Truncated"):
		h.truncated = true
	case is("Content-Type"):
		h.content = append(h.content[:0], value...)
	case is("Content-Length"):
		n, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil {
			return fmt.Errorf("expected a number for Content-Length, found %.20q", value)
		}
		h.length = int64(n)
	}
	return nil
}

func (h *header) check() error {
	if h.length < 0 {
		return errors.New("expected a Content-Length, found none")
	}
	return nil
}

// isAnswer reports whether the record is an HTTP response or a revisit of one.
func (h *header) isAnswer() bool {
	const ofHTTP = "application/http"
	kind := string(h.kind)
	isHTTP := len(h.content) >= len(ofHTTP) && bytes.EqualFold(h.content[:len(ofHTTP)], []byte(ofHTTP))
	return kind == "revisit" || kind == "response" && isHTTP
}

// appendLine appends the line of an answer up to the quote that closes its last value.
func (h *header) appendLine(b []byte, status string) []byte {
	b = append(b, "- "...)
	b = appendWord(b, h.date)
	b = append(b, ` {"url":"`...)
	b = appendText(b, h.url)
	b = append(b, `","status":"`...)
	b = append(b, status...)
	if len(h.digest) > 0 && !h.truncated {
		b = append(b, `","digest":"`...)
		b = appendText(b, h.digest)
	}
	return b
}

// appendWord appends a word, cut at the first blank.
func appendWord(b, word []byte) []byte {
	if i := bytes.IndexByte(word, ' '); i >= 0 {
		word = word[:i]
	}
	return append(b, word...)
}

// appendText appends a JSON string without its quotes. Bytes that are not UTF-8 stay
// unchanged.
func appendText(b, text []byte) []byte {
	const digits = "0123456789abcdef"
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			b = append(b, c)
		}
	}
	return b
}
