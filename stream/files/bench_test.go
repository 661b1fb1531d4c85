package files

import (
	"bufio"
	stdgzip "compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"

	"dustbuster/stream/lines"
)

// bigLog is a log of half a million lines in the folder that the environment
// variable DUSTBUSTER_DATA names.
func bigLog(b *testing.B) string {
	b.Helper()
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		b.Skip("DUSTBUSTER_DATA does not name the folder of real logs: nothing is measured")
	}
	return filepath.Join(data, "logs", "bplogs.log.gz")
}

// BenchmarkRead takes the whole way from the disk to lines.
func BenchmarkRead(b *testing.B) {
	path := bigLog(b)
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		r, err := Open([]string{path}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		size := 0
		for {
			batch, err := r.Read(b.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
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

// BenchmarkGunzip compares the two libraries at hand.
func BenchmarkGunzip(b *testing.B) {
	path := bigLog(b)
	for name, open := range map[string]func(io.Reader) (io.Reader, error){
		"klauspost": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"standard":  func(r io.Reader) (io.Reader, error) { return stdgzip.NewReader(r) },
	} {
		b.Run(name, func(b *testing.B) {
			buf := make([]byte, 256<<10)
			for b.Loop() {
				b.SetBytes(gunzip(b, path, open, buf))
			}
		})
	}
}

func gunzip(b *testing.B, path string, open func(io.Reader) (io.Reader, error), buf []byte) (size int64) {
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	plain, err := open(bufio.NewReaderSize(file, sourceBuffer))
	if err != nil {
		b.Fatal(err)
	}
	for {
		n, err := fill(plain, buf)
		size += int64(n)
		if err == io.EOF {
			return size
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSplit is the cutting alone, without disk and compression.
func BenchmarkSplit(b *testing.B) {
	const line = "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /images/kibana-search.png HTTP/1.1\" 200 203023 \"-\" \"Mozilla/5.0\"\n"
	buf := make([]byte, 256<<10)
	s := Splitter{Source: &repeat{line: line}, MaxLine: 64 << 10}
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		data, err := s.Next(buf)
		if err != nil {
			b.Fatal(err)
		}
		for range (&lines.Batch{Data: data}).Lines() {
		}
	}
}

// repeat is one line again and again, without end.
type repeat struct {
	line string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		m := copy(p[n:], r.line[r.at:])
		r.at = (r.at + m) % len(r.line)
		n += m
	}
	return len(p), nil
}
