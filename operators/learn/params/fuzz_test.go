package params

import (
	"testing"

	"dustbuster/operators/window/evidence"
)

// FuzzIndex reads bytes as operations. A URL is spelled from syntactic pieces. After
// every few operations, the index must equal the oracle.
func FuzzIndex(f *testing.F) {
	f.Add([]byte{0, 0x10, 1, 0x42, 0x13, 2, 0x40, 0x10, 0x31})
	f.Add([]byte("put, drop and change some pages, then the same again"))
	f.Add([]byte{9, 3, 4, 200, 9, 4, 4, 201, 9, 5, 4, 202, 137, 3, 4, 203, 9, 3, 4, 210})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 400 {
			return
		}
		r := &reader{data: data}
		w := newWorld(r.options())
		w.x.tracked = w.o.MaxValues + r.upTo(3)
		for i := 1; len(r.data) > 0; i++ {
			switch url := r.url(); r.upTo(4) {
			case 0:
				w.drop(url)
			default:
				w.put(url, r.evidence())
			}
			if i%4 == 0 {
				w.verify(t)
			}
		}
		w.verify(t)
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

func (r *reader) options() Options {
	return Options{
		MinSupport: 1 + r.upTo(3), MaxParams: 2 + r.upTo(3), MaxValues: 1 + r.upTo(4),
		Similarity: evidence.Similarity{Tolerance: float64(r.upTo(3)) / 50, Off: r.upTo(7) == 6},
	}
}

func (r *reader) url() string {
	pieces := [...]string{"", "n=1", "n=2", "n", "a=1", "a=2", "a=", "a", "b=1", "=v", "n=3", "a=3", "b=2", "?", "m=1", "m=2"}
	url := [...]string{"/", "/p"}[r.upTo(2)]
	count := r.upTo(4)
	for i := range count {
		sep := "&"
		if i == 0 {
			sep = "?"
		}
		b := r.upTo(32)
		if i > 0 && b >= 28 {
			sep = ";"
		}
		url += sep + pieces[b%len(pieces)]
	}
	return url
}

func (r *reader) evidence() evidence.Spans {
	b := r.upTo(64)
	e := size(int64(100 + b&3/3))
	switch b >> 2 {
	case 0:
		return nil
	case 1:
		e[0].Class = 1
	case 2:
		e = append(e, evidence.Span{Class: 1, Min: 100, Max: 101})
	case 3:
		return evidence.Spans{{Class: evidence.Digest, Min: 1, Max: 1 + int64(b&1)}}
	case 4:
		e = append(e, evidence.Span{Class: evidence.Digest, Min: int64(b & 1), Max: 1})
	}
	return e
}
