package tail

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"dustbuster/internal/expect"

	"github.com/klauspost/compress/gzip"
)

// Quick returns options for tests that poll often.
func Quick(paths ...string) Options {
	return Options{Paths: paths, Poll: 5 * time.Millisecond, Grace: 100 * time.Millisecond, MaxLine: 1000, BatchSize: 4 << 10, NoNotify: true}
}

// GzipOf returns data packed by gzip.
func GzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(data)
	expect.NoError(t, errors.Join(err, w.Close()))
	return packed.Bytes()
}

// Identify returns the identity of the file at a path, as positions hold it.
func Identify(path string) (device, inode uint64, ok bool) {
	f := newFollower(Options{}, nil)
	defer f.close()
	e, ok := f.enter(path)
	return e.id.device, e.id.inode, ok
}

// Text returns the text of a file, decompressed.
func Text(path string) ([]byte, error) {
	c, err := openCandidate(path, 1<<20, nil)
	if err != nil {
		return nil, err
	}
	defer c.close()
	return io.ReadAll(io.NewSectionReader(c.source, 0, 1<<40))
}
