package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// errEncoding is the error of a body that is damaged, or in an encoding that was not
// asked for.
var errEncoding = errors.New("read content encoding")

// reader reads the body of a response into an answer. It returns the number of bytes
// received.
type reader func(resp *http.Response, got *answer) (int64, error)

// digested returns the reader that reads at most MaxBody bytes and keeps the result of Digest for
// the body, changed by change.
func (f *Fetcher) digested(p place, change func(body []byte) []byte) reader {
	return func(resp *http.Response, got *answer) (int64, error) {
		body, wire, truncated, err := readBody(resp, f.o.MaxBody)
		if err != nil {
			return wire, err
		}
		got.Size, got.Sent, got.Truncated = int64(len(body)), wire, truncated
		got.Content = f.o.Digest(p.path, got.ContentType, change(body))
		return wire, nil
	}
}

// asSent leaves a body as it is.
func asSent(body []byte) []byte { return body }

// The rest of a body is read so that its connection can serve the next request. The
// bounds keep this cheaper than a new connection.
const (
	mostLeft    = 256 << 10 // bytes
	longestLeft = time.Second
)

// leftOver reads the rest of a body and closes it. If it does not end within the bounds,
// the connection is closed.
func leftOver(body io.ReadCloser, cancel context.CancelFunc) {
	defer time.AfterFunc(longestLeft, cancel).Stop()
	_, _ = io.CopyN(io.Discard, body, mostLeft)
	_ = body.Close()
}

// readBody reads a body to its end or to a limit. The limit holds both for the bytes
// received and for the decompressed bytes, because a compressed body may expand a
// thousandfold, or never yield a byte.
func readBody(resp *http.Response, limit int64) (body []byte, wire int64, truncated bool, err error) {
	raw := &io.LimitedReader{R: resp.Body, N: limit + 1}
	body, err = readAtMost(resp.Header.Values("Content-Encoding"), raw, limit+1)
	wire = limit + 1 - raw.N
	if int64(len(body)) > limit {
		return body[:limit], wire, true, nil
	}
	if raw.N == 0 {
		return body, wire, true, nil // the decompressor's error about the cut-off end means nothing
	}
	return body, wire, false, err
}

func readAtMost(encodings []string, from io.Reader, limit int64) ([]byte, error) {
	switch strings.ToLower(strings.Join(encodings, ",")) {
	case "", "identity":
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(from)
		if err == io.EOF {
			return nil, nil // an empty body
		}
		if err != nil {
			return nil, damaged(err)
		}
		from = z
	default:
		return nil, fmt.Errorf("%w: %q was not asked for", errEncoding, encodings)
	}
	var content bytes.Buffer
	_, err := io.CopyN(&content, from, limit)
	if err == io.EOF {
		err = nil
	}
	return content.Bytes(), damaged(err)
}

// damaged separates errors of the decompressor from errors of the connection.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		return fmt.Errorf("%w: %w", errEncoding, err)
	}
	return err
}
