package duplicates

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"dustbuster/internal/oracle/pages"
	"dustbuster/operators/judge/near"
)

// BenchmarkFinder reads and compares 20,000 made-up pages.
func BenchmarkFinder(b *testing.B) {
	var archive bytes.Buffer
	for d := range (pages.World{Seed: 5, Documents: 20_000, Threshold: 0.9}).All() {
		archive.WriteString(htmlAt(fmt.Sprintf("http://example.org/%d", d.Index), string(d.Body)))
	}
	for _, o := range []near.Options{{Threshold: 0.9}, {Threshold: 0.9, Exact: true}} {
		b.Run(fmt.Sprintf("exact=%v", o.Exact), func(b *testing.B) {
			b.SetBytes(int64(archive.Len()))
			for b.Loop() {
				f, err := New(Options{Options: o, Memory: 8 << 20, Dir: b.TempDir(), Stdin: bytes.NewReader(archive.Bytes())})
				must(b, err)
				must(b, f.Read(context.Background(), []string{"-"}))
				must(b, f.Match(context.Background()))
				f.Close()
			}
		})
	}
}
