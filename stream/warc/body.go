package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// blocks is what the blocks of records are parsed in, one after the other.
type blocks struct {
	block bytes.Buffer
	in    bytes.Reader
	http  *bufio.Reader
}

// revisit parses a revisit, and returns the reason to skip it. The block may be empty. A
// revisit may be of a response that is no document. The status 304 is the answer of a server
// that has nothing new.
func (p *Responses) revisit(got *Response, block io.Reader) (skip *int64) {
	p.block.Reset()
	_, _ = io.CopyN(&p.block, block, maxFirstLine) // a torn record is found by what is left
	status, ok := statusOf(p.block.Bytes())
	switch {
	case got.Digest == "":
		return &p.Revisits
	case ok && status != "304" && !whole2xx(int(status[0]-'0')*100+int(status[1]-'0')*10+int(status[2]-'0')):
		return &p.Status
	}
	return nil
}

// whole2xx reports whether a status is of a whole document.
func whole2xx(status int) bool {
	return status/100 == 2 && status != http.StatusNoContent && status != http.StatusPartialContent
}

// response parses a response and decodes its body, or returns the reason to skip it.
func (p *Responses) response(got *Response, block io.Reader) (skip *int64) {
	p.block.Reset()
	_, _ = p.block.ReadFrom(block) // as above
	p.in.Reset(p.block.Bytes())
	if p.http == nil {
		p.http = bufio.NewReader(nil)
	}
	p.http.Reset(&p.in)
	resp, err := http.ReadResponse(p.http, nil)
	if err != nil {
		return &p.HTTP
	}
	defer resp.Body.Close()
	if !whole2xx(resp.StatusCode) {
		return &p.Status
	}
	got.Type = resp.Header.Get("Content-Type")
	if p.Digests && got.Digest == "" {
		got.Digest = string(payloadDigest(nil, bytes.NewReader(p.block.Bytes())))
	}
	raw := p.block.Bytes()[p.block.Len()-p.in.Len()-p.http.Buffered():]
	got.Body, err = decode(resp.Header.Values("Content-Encoding"), unchunked(resp, raw), p.max)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLarge):
		return &p.Large
	}
	return &p.Encoding
}

// unchunked returns a body without its transfer encoding. Some crawlers store the body
// without the encoding, and keep the headers as they came.
func unchunked(resp *http.Response, raw []byte) []byte {
	if slices.Contains(resp.TransferEncoding, "chunked") {
		if body, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(raw))); err == nil {
			return body
		}
	}
	if n := resp.ContentLength; n >= 0 && n < int64(len(raw)) {
		return raw[:n]
	}
	return raw
}

// decode undoes the content encoding of a body into a slice of its own. Some crawlers store
// the body without the encoding, and keep the headers as they came.
func decode(encodings []string, raw []byte, limit int64) ([]byte, error) {
	var in io.Reader = bytes.NewReader(raw)
	var err error
	switch encoding := strings.ToLower(strings.Join(encodings, ",")); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		if bytes.HasPrefix(raw, gzipMagic) {
			in, err = gzip.NewReader(in)
		}
	case "deflate": // as zlib; some servers send bare deflate
		if in, err = zlib.NewReader(bytes.NewReader(raw)); err != nil {
			in, err = flate.NewReader(bytes.NewReader(raw)), nil
		}
	default:
		return nil, fmt.Errorf("unknown encoding %q", encoding)
	}
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	n, err := io.Copy(&body, io.LimitReader(in, limit+1))
	if n > limit {
		err = errLarge
	}
	return body.Bytes(), err
}

var errLarge = errors.New("the body is too large")
