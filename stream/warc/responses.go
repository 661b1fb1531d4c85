package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"dustbuster/stream/lines"

	"github.com/klauspost/compress/gzip"
)

// Response is a document of an archive: the body of an HTTP response, or a revisit, which
// has no body.
type Response struct {
	URL     string
	Type    string // of the content, as the server said
	Digest  string // of the payload, as the crawler noted; "" if it noted none, or of a cut record
	Revisit bool
	Body    []byte // decoded
}

// Skips are the records that Responses left out, by reason.
type Skips struct {
	Method   int64 // the answer to a request other than GET
	Status   int64 // not 200 to 299, or without content (204), or a part (206)
	URL      int64 // not http or https
	Cut      int64 // the crawler noted that it cut the record
	Large    int64 // a record or a decoded body of more than the limit
	Encoding int64 // a content encoding that is unknown, or a damaged body
	HTTP     int64 // not an HTTP response
	Revisits int64 // revisits without a digest
	Damaged  int64 // a damaged WARC header, or a damaged gzip member
	Torn     int64 // the file ends within a record
}

// Add adds the counts of another archive.
func (s *Skips) Add(o Skips) {
	s.Method += o.Method
	s.Status += o.Status
	s.URL += o.URL
	s.Cut += o.Cut
	s.Large += o.Large
	s.Encoding += o.Encoding
	s.HTTP += o.HTTP
	s.Revisits += o.Revisits
	s.Damaged += o.Damaged
	s.Torn += o.Torn
}

// DefaultMaxBody is the default limit of a record and of a decoded body, in bytes.
const DefaultMaxBody = 8 << 20

// longestSkip is how many bytes of a compressed record are decompressed to find the record's
// end. A record of more is most likely made to keep readers busy: a gzip member expands a
// thousandfold.
const longestSkip = 1 << 30

// Responses reads the documents of a stream one after the other. The stream is plain, or
// compressed, as a whole or with one gzip member for each record. What cannot be read is
// counted and skipped: after a damaged header, up to the next line that begins a record, and
// after a damaged gzip member, up to the one behind it. Memory is bounded by a few times the
// limit of a body. Responses is not safe for concurrent use.
type Responses struct {
	Skips
	Digests bool // responses without a noted digest get the one that Reader computes

	max    int64
	most   int64 // longestSkip
	source *source
	raw    *bufio.Reader // the stream, if compressed by gzip
	member *gzip.Reader  // of raw, the present member
	inside bool          // a record may follow: in the member, or in a stream without members
	lost   bool          // the end of the last member is not known, and counted
	r      *Reader
	held   pairing[*Response]
	end    error // of the stream; held documents come before it
	blocks
}

// NewResponses returns a reader of an archive. The error is of a stream that is no archive.
// maxBody 0 is DefaultMaxBody.
func NewResponses(archive io.Reader, maxBody int64) (*Responses, error) {
	if maxBody <= 0 {
		maxBody = DefaultMaxBody
	}
	p := &Responses{max: maxBody, most: longestSkip, source: &source{in: archive}, r: NewReader(nil)}
	in := bufio.NewReaderSize(p.source, MaxHeader)
	if head, _ := in.Peek(len(gzipMagic)); bytes.Equal(head, gzipMagic) {
		p.raw, p.member = in, new(gzip.Reader)
		return p, nil
	}
	plain, err := lines.Unpack(in)
	if err != nil {
		return nil, fmt.Errorf("read web archive: %w", err)
	}
	p.r.in.Reset(plain)
	p.inside = true
	head, err := p.r.in.Peek(len(Magic))
	switch {
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("read web archive: %w", err)
	case len(head) > 0 && !Is(head):
		return nil, fmt.Errorf("neither a WARC file nor a compressed one: it begins with %q", head)
	}
	return p, nil
}

var gzipMagic = []byte{0x1f, 0x8b, 8}

// source remembers an error of the stream, so that it is not taken for damage.
type source struct {
	in  io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// Read returns the next document. The error is io.EOF at the end, or one of the stream.
func (p *Responses) Read() (*Response, error) {
	for {
		for got, ok := p.settled(); ok; got, ok = p.settled() {
			if got != nil {
				return got, nil
			}
		}
		if p.end != nil {
			return nil, p.end
		}
		p.end = p.step()
	}
}

// mostHeld is how many documents wait for their requests: they are held with their bodies.
const mostHeld = 1

// settled returns a document whose method is known, or nil if it is none.
func (p *Responses) settled() (got *Response, ok bool) {
	got, method, ok := p.held.next(mostHeld, p.end != nil)
	if ok && !isPage(method, []byte(got.URL)) {
		p.Method++
		got = nil
	}
	return got, ok
}

// step reads a record. The error is of the stream, or its end.
func (p *Responses) step() error {
	if !p.inside {
		if err := p.next(); err != nil {
			return p.cause(err)
		}
	}
	got, err := p.record()
	if err != nil {
		err = p.mend(err)
	}
	if err != nil {
		return p.cause(err)
	}
	if got != nil {
		p.held.answer(&p.r.head, got)
	}
	return nil
}

// cause returns the error of the stream, if there is one.
func (p *Responses) cause(err error) error {
	if p.source.err != nil {
		return fmt.Errorf("read web archive: %w", p.source.err)
	}
	return err
}

// next begins the next gzip member. Bytes between members are damage.
func (p *Responses) next() error {
	for {
		at, err := p.findMember()
		if err == nil && !at && !p.lost {
			p.Damaged++
		}
		p.lost = true
		if err == nil {
			err = p.member.Reset(p.raw)
		} else if p.raw.Buffered() == 0 || p.source.err != nil {
			return err
		}
		if err == nil {
			break
		}
		if _, end := p.raw.Peek(1); end == io.EOF || err == io.EOF {
			p.Torn++
			return io.EOF
		}
		p.Damaged++
	}
	p.member.Multistream(false)
	p.r.in.Reset(p.member)
	p.inside, p.lost = true, false
	return nil
}

// findMember skips to the next bytes that begin a gzip member. at reports whether nothing
// was skipped.
func (p *Responses) findMember() (at bool, err error) {
	for at = true; ; at = false {
		head, err := p.raw.Peek(len(gzipMagic))
		if err != nil || bytes.Equal(head, gzipMagic) {
			return at, err // io.EOF: up to two bytes may be left
		}
		if _, err := p.raw.Discard(1); err != nil {
			return at, err
		}
	}
}

// record reads a record. got is nil if the record is no document. The error is io.EOF if no
// record follows, and otherwise of a record that is damaged.
func (p *Responses) record() (got *Response, err error) {
	if err := p.r.header(); err != nil {
		return nil, err
	}
	if err := p.r.peekMethod(); err != nil {
		return nil, whole(err)
	}
	p.held.request(&p.r.head)
	block := io.LimitedReader{R: p.r.in, N: p.r.head.length}
	got, skip := p.document(&block)
	if p.raw != nil && block.N > p.most {
		p.Large++
		return nil, errLong
	}
	if _, err := io.Copy(io.Discard, &block); err != nil {
		return nil, err
	}
	if block.N > 0 {
		return nil, io.ErrUnexpectedEOF
	}
	if skip != nil {
		*skip++
	}
	return got, nil
}

var errLong = errors.New("a long record")

// document returns the document of a record, or the reason to skip it. Both are nil if the
// record is of another kind.
func (p *Responses) document(block *io.LimitedReader) (got *Response, skip *int64) {
	h := &p.r.head
	if !h.isAnswer() {
		return nil, nil
	}
	got = &Response{URL: string(h.url), Digest: string(h.digest), Revisit: string(h.kind) == "revisit"}
	scheme, _, ok := strings.Cut(got.URL, "://")
	switch {
	case !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return nil, &p.URL
	case h.truncated:
		return nil, &p.Cut
	case block.N > p.max+MaxHeader:
		return nil, &p.Large
	}
	if got.Revisit {
		skip = p.revisit(got, block)
	} else {
		skip = p.response(got, block)
	}
	if skip != nil {
		return nil, skip
	}
	return got, nil
}

// mend counts a damaged record, and goes to where the next record may be. It returns io.EOF
// if none follows.
func (p *Responses) mend(err error) error {
	if err != io.EOF && !errors.Is(err, errLong) {
		p.count(err)
		if p.findRecord() == nil {
			return nil
		}
	}
	if p.raw == nil {
		return io.EOF
	}
	p.inside, p.lost = false, err != io.EOF
	return nil
}

// count counts a damaged record. A record is torn if nothing follows the damage.
func (p *Responses) count(err error) {
	end := p.r.in
	if p.raw != nil {
		end = p.raw
	}
	if _, after := end.Peek(1); after == io.EOF && errors.Is(err, io.ErrUnexpectedEOF) {
		p.Torn++
		return
	}
	p.Damaged++
}

// findRecord skips to the next line that begins a record, in the present member.
func (p *Responses) findRecord() error {
	for left := p.most; p.raw == nil || left > 0; {
		if head, err := p.r.in.Peek(len(Magic)); err != nil || Is(head) {
			return err
		}
		line, err := p.r.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		left -= int64(len(line))
	}
	return errLong
}
