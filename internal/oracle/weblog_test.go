package oracle

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// text returns the content of a file, decompressed if its name ends in .gz.
func text(t *testing.T, f *os.File) io.Reader {
	if !strings.HasSuffix(f.Name(), ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", f.Name(), err)
	}
	return z
}

// readLog returns the URL list of a log, and the number of admitted hits.
func readLog(t *testing.T, file string) (pages []evidence.Page, hits int) {
	var l pageList
	for line := range lines(t, file) {
		if url, size, _, ok := ReadHit(line); ok {
			l.add(url, size)
			hits++
		}
	}
	return l.pages, hits
}
