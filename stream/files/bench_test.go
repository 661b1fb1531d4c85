package files

import (
	"bufio"
	stdgzip "compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// bigLog returns a log of half a million lines in the folder named by the environment
// variable DUSTBUSTER_DATA.
func bigLog(b *testing.B) string {
	b.Helper()
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		b.Skip("DUSTBUSTER_DATA does not name the folder of real logs: nothing is measured")
	}
	return filepath.Join(data, "logs", "bplogs.log.gz")
}

// BenchmarkRead measures the whole way from the disk to lines.
func BenchmarkRead(b *testing.B) {
	path := bigLog(b)
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		r, err := Open([]string{path}, Options{})
		must(b, err)
		size := 0
		for {
			batch, err := r.Read(b.Context())
			if err == io.EOF {
				break
			}
			must(b, err)
			for range batch.Lines() {
				lines++
			}
			size += len(batch.Data)
			batch.Release()
		}
		r.Close()
		b.SetBytes(int64(size))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines), "ns/line")
}

// BenchmarkGunzip compares the gzip libraries.
func BenchmarkGunzip(b *testing.B) {
	path := bigLog(b)
	for _, c := range []struct {
		name string
		open func(io.Reader) (io.Reader, error)
	}{
		{"klauspost", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"standard", func(r io.Reader) (io.Reader, error) { return stdgzip.NewReader(r) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			buf := make([]byte, 256<<10)
			for b.Loop() {
				b.SetBytes(gunzip(b, path, c.open, buf))
			}
		})
	}
}

func gunzip(b *testing.B, path string, open func(io.Reader) (io.Reader, error), buf []byte) (size int64) {
	file, err := os.Open(path)
	must(b, err)
	defer file.Close()
	plain, err := open(bufio.NewReaderSize(file, sourceBuffer))
	must(b, err)
	for {
		n, err := plain.Read(buf)
		size += int64(n)
		if err == io.EOF {
			return size
		}
		must(b, err)
	}
}
