package drops

import (
	"testing"

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
		r := &reader{data}
		o := Options{MinSupport: 1 + r.upTo(3), Similarity: evidence.Similarity{Tolerance: float64(r.upTo(3)) / 50, Off: r.upTo(9) == 8}}
		pages := map[string]evidence.Spans{}
		for len(r.data) > 0 {
			pages[r.url()] = size(int64(r.upTo(16)/13*100 + 100))[:min(1, r.upTo(9))]
		}
		verify(t, o, pagesOf(pages))
	})
}

// reader takes decisions from bytes. Without bytes, every decision is the first choice.
type reader struct{ data []byte }

func (r *reader) upTo(n int) int {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return int(b) % n
}

func (r *reader) url() string {
	pieces := [...]string{"n=1", "n=2", "n", "a=1", "a=2", "a=", "a", "b=1", "=v", "", "n=3", "b=2", "b", "?", "m=1", "m=2", "n=1&n=2"}
	url := [...]string{"/", "/a/b", "/a/b/c", "/a/d/c", "/a/e/c", "/a/*/c", "/a//c", "h/a/c"}[r.upTo(8)]
	for i := range r.upTo(6) {
		sep := "&"
		if i == 0 {
			sep = "?"
		}
		b := r.upTo(2 * len(pieces))
		if i > 0 && b == len(pieces) {
			sep = ";"
		}
		url += sep + pieces[b%len(pieces)]
	}
	return url
}
