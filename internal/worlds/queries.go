package worlds

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"

	"dustbuster/operators/window/evidence"
)

// Query returns URLs that often collide: few paths, names and values, and corners of the
// syntax. The names are a, b, m, n, and seldom x0 and so on.
func Query(r *rand.Rand, values int) string {
	paths := []string{"/a/b", "/a/b/c", "/a/d/c", "/a/e/c", "/", "/a/b/d", "/a//c", "/a/*/c", "", "/1/2/3/4/5/6/7/8", "/1/2/3/4/5/6/7/8/9"}
	return QueryOf(r, paths[:3+r.IntN(len(paths)-2)], values)
}

// QueryOf is Query with one of the given paths.
func QueryOf(r *rand.Rand, paths []string, values int) string {
	url := paths[r.IntN(len(paths))]
	var pieces []string
	add := func(name string, n, of int) {
		for r.IntN(of) < n {
			switch r.IntN(14) {
			case 0:
				pieces = append(pieces, name)
			case 1:
				pieces = append(pieces, name+"=")
			default:
				pieces = append(pieces, fmt.Sprint(name, "=", r.IntN(values)))
			}
			if r.IntN(12) > 0 {
				return
			}
		}
	}
	add("a", 2, 3)
	add("b", 1, 3)
	add("m", 1, 2)
	add("n", 2, 3)
	if r.IntN(10) == 0 {
		for i := range r.IntN(9) {
			pieces = append(pieces, fmt.Sprint("x", i, "=1"))
		}
	}
	if r.IntN(15) == 0 {
		pieces = append(pieces, []string{"", "=v", "?", "n=1?x"}[r.IntN(4)])
	}
	if r.IntN(40) == 0 {
		for range 30 {
			pieces = append(pieces, []string{"", "n=1"}[r.IntN(2)])
		}
	}
	if r.IntN(8) == 0 {
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	}
	if len(pieces) == 0 {
		return url
	}
	return url + "?" + strings.Join(pieces, []string{"&", "&", "&", "&", ";"}[r.IntN(5)])
}

// Evidence returns the evidence of one of few sizes in some classes, and of one of few
// digests.
func Evidence(r *rand.Rand) evidence.Spans {
	var e evidence.Spans
	for class := range r.IntN(4) {
		if lo := int64(100 + r.IntN(8)/6); r.IntN(3) > 0 {
			e = append(e, evidence.Span{Class: uint8(class), Min: lo, Max: lo + int64(r.IntN(2))})
		}
	}
	if r.IntN(2) == 0 {
		d := int64(r.IntN(3)) - 1
		e = append(e, evidence.Span{Class: evidence.Digest, Min: d, Max: d + int64(r.IntN(4)/3)})
	}
	return e
}

// SizeOf returns the evidence of a size that is a function of a text, of the given number of
// sizes.
func SizeOf(text string, sizes uint32) evidence.Spans {
	return Size(1000 + int64(crc32.ChecksumIEEE([]byte(text))%sizes))
}

// Similarity returns a test of similar pages, seldom none.
func Similarity(r *rand.Rand) evidence.Similarity {
	return evidence.Similarity{Tolerance: []float64{0, 0.01, 0.3}[r.IntN(3)], Off: r.IntN(12) == 0}
}

// Bytes takes decisions from the bytes of a fuzzer. Without bytes, every decision is the first
// choice.
type Bytes struct{ Data []byte }

// UpTo returns a number below n.
func (b *Bytes) UpTo(n int) int {
	if len(b.Data) == 0 {
		return 0
	}
	first := b.Data[0]
	b.Data = b.Data[1:]
	return int(first) % n
}

// URL returns a URL with one of the paths and a few pieces of query.
func (b *Bytes) URL(paths ...string) string {
	pieces := [...]string{"n=1", "n=2", "n", "a=1", "a=2", "a=", "a", "b=1", "=v", "", "n=3", "b=2", "b", "?", "m=1", "m=2", "a=3", "n=1&n=2"}
	url := paths[b.UpTo(len(paths))]
	for i := range b.UpTo(6) {
		piece := b.UpTo(2 * len(pieces))
		separator := "&"
		if i == 0 {
			separator = "?"
		} else if piece == len(pieces) {
			separator = ";"
		}
		url += separator + pieces[piece%len(pieces)]
	}
	return url
}
