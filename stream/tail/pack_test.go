package tail

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	pack(t, gzip.NewWriter(&packed), data)
	return packed.Bytes()
}

func zstdOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	must(t, err)
	pack(t, w, data)
	return packed.Bytes()
}

func pack(t testing.TB, w io.WriteCloser, data []byte) {
	t.Helper()
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
}
