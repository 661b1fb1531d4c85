package warc

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"io"
	"net/http/httputil"
)

// payloadDigest appends the digest of the body of an HTTP response, as crawlers note it: the
// SHA-1 of the body without its transfer encoding, in base 32. It appends nothing if the response
// has no end of its headers, or damaged chunks. It reads no more than the block.
func payloadDigest(dst []byte, block io.Reader) []byte {
	in := bufio.NewReader(block)
	chunked, ok := skipHeaders(in)
	if !ok {
		return dst
	}
	var body io.Reader = in
	if chunked && isChunk(in) {
		body = httputil.NewChunkedReader(in)
	}
	hash := sha1.New()
	if _, err := io.Copy(hash, body); err != nil {
		return dst
	}
	return base32.StdEncoding.AppendEncode(append(dst, "sha1:"...), hash.Sum(nil))
}

// skipHeaders reads up to the empty line behind the headers. chunked reports whether one says
// that the body is in chunks.
func skipHeaders(in *bufio.Reader) (chunked, ok bool) {
	for whole := true; ; {
		line, err := in.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !full {
			return false, false
		}
		if whole {
			if len(bytes.TrimRight(line, "\r\n")) == 0 {
				return chunked, true
			}
			name, value, _ := bytes.Cut(line, []byte(":"))
			chunked = chunked || bytes.EqualFold(name, []byte("Transfer-Encoding")) && bytes.Contains(bytes.ToLower(value), []byte("chunked"))
		}
		whole = !full
	}
}

// isChunk reports whether a chunk begins here. Some crawlers store the body without its transfer
// encoding, and keep the headers as they came.
func isChunk(in *bufio.Reader) bool {
	const longest = 18 // 16 digits and the end of the line; extensions are not used
	head, _ := in.Peek(longest)
	digits := 0
	for digits < len(head) && bytes.IndexByte([]byte("0123456789abcdefABCDEF"), head[digits]) >= 0 {
		digits++
	}
	return digits > 0 && digits < len(head) && bytes.IndexByte([]byte("\r\n; "), head[digits]) >= 0
}
