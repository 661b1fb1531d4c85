package tail_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dustbuster/stream/tail"
)

// BenchmarkCatchUp measures reading a backlog of a million lines.
func BenchmarkCatchUp(b *testing.B) {
	path := filepath.Join(b.TempDir(), "access.log")
	const lines = 1_000_000
	line := "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /images/kibana-search.png HTTP/1.1\" 200 203023 \"-\" \"Mozilla/5.0\"\n"
	text := make([]byte, 0, lines*len(line))
	for range lines {
		text = append(text, line...)
	}
	must(b, os.WriteFile(path, text, 0o600))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := tail.Open(tail.Options{Paths: []string{path}}, nil)
		must(b, err)
		for got := 0; got < len(text); {
			batch, err := r.Read(b.Context())
			must(b, err)
			got += len(batch.Data)
			batch.Release()
		}
		r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
}

// BenchmarkLatency measures the time from writing a line to its batch, with inotify.
func BenchmarkLatency(b *testing.B) {
	path := filepath.Join(b.TempDir(), "access.log")
	file, err := os.Create(path)
	must(b, err)
	defer file.Close()
	r, err := tail.Open(tail.Options{Paths: []string{path}, Poll: 10 * time.Second}, nil)
	must(b, err)
	defer r.Close()
	next := func() {
		_, err := file.WriteString("line\n")
		must(b, err)
		batch, err := r.Read(b.Context())
		must(b, err)
		batch.Release()
	}
	next()
	for b.Loop() {
		next()
	}
}
