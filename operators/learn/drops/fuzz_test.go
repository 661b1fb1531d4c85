package drops

import (
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

// FuzzLearn reads bytes as pages, whose URLs are spelled from pieces of syntax.
func FuzzLearn(f *testing.F) {
	f.Add([]byte{0, 1, 0x10, 1, 1, 0x42, 0x13, 2, 0x40, 0x10, 0x31})
	f.Add([]byte("pages are spelled from any bytes, and many pages have one size"))
	f.Add([]byte{1, 3, 1, 1, 0, 3, 1, 2, 0, 3, 0, 0, 4, 1, 1, 0, 4, 0, 0, 5, 1, 1, 0, 5, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 300 {
			return
		}
		b := &worlds.Bytes{Data: data}
		o := Options{MinSupport: 1 + b.UpTo(3), Similarity: evidence.Similarity{Tolerance: float64(b.UpTo(3)) / 50, Off: b.UpTo(9) == 8}}
		pages := map[string]evidence.Spans{}
		for len(b.Data) > 0 {
			url := b.URL("/", "/a/b", "/a/b/c", "/a/d/c", "/a/e/c", "/a/*/c", "/a//c", "h/a/c")
			pages[url] = worlds.Size(int64(b.UpTo(16)/13*100 + 100))[:min(1, b.UpTo(9))]
		}
		verify(t, o, worlds.Pages(pages))
	})
}
