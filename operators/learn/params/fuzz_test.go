package params

import (
	"testing"

	"dustbuster/internal/worlds"
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
		b := &worlds.Bytes{Data: data}
		w := newWorld(Options{
			MinSupport: 1 + b.UpTo(3), MaxParams: 2 + b.UpTo(3), MaxValues: 1 + b.UpTo(4),
			Similarity: evidence.Similarity{Tolerance: float64(b.UpTo(3)) / 50, Off: b.UpTo(7) == 6},
		})
		w.x.tracked = w.x.o.MaxValues + b.UpTo(3)
		for i := 1; len(b.Data) > 0; i++ {
			switch url := b.URL("/", "/p"); b.UpTo(4) {
			case 0:
				w.Drop(url)
			default:
				w.Set(url, evidenceOf(b.UpTo(64)))
			}
			if i%4 == 0 {
				w.verify(t)
			}
		}
		w.verify(t)
	})
}

// evidenceOf returns the evidence of a number below 64.
func evidenceOf(b int) evidence.Spans {
	e := worlds.Size(int64(100 + b&3/3))
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
