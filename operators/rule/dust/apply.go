package dust

import (
	"iter"
	"strings"
	"unsafe"
)

// Replacements yields, from the left, the URLs that form an instance of the pair with a
// URL that contains Alpha. Both sides lie on token boundaries and, where the pair is
// anchored, at the ends. The URLs are made in buf, one after the other.
func (p Pair) Replacements(buf *[]byte, url []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		from, last := 0, len(url)-len(p.Alpha)
		if p.AtEnd {
			from = max(last, 0)
		}
		if p.AtStart {
			last = min(last, 0)
		}
		text := unsafe.String(unsafe.SliceData(url), len(url)) // lives no longer than url
		for at := from; at <= last; at++ {
			next := strings.Index(text[at:last+len(p.Alpha)], p.Alpha)
			if next < 0 {
				return
			}
			at += next
			out, ok := p.ReplaceAt((*buf)[:0], url, at)
			if *buf = out; ok && !yield(out) {
				return
			}
		}
	}
}

// ReplaceAt appends to dst the URL that forms an instance with url by replacing Alpha at
// an offset. It returns false if Alpha does not stand there on token boundaries, or Beta
// would not.
func (p Pair) ReplaceAt(dst, url []byte, at int) ([]byte, bool) {
	end := at + len(p.Alpha)
	if end > len(url) || string(url[at:end]) != p.Alpha || !p.fits(url, at, end) {
		return dst, false
	}
	start := len(dst)
	dst = append(append(append(dst, url[:at]...), p.Beta...), url[end:]...)
	return dst, p.fits(dst[start:], at, at+len(p.Beta))
}

// fits reports whether an occurrence lies on token boundaries, and at the ends of the URL
// where the pair is anchored.
func (p Pair) fits(url []byte, at, end int) bool {
	return (!p.AtStart || at == 0) && (!p.AtEnd || end == len(url)) &&
		Boundary(url, at) && Boundary(url, end)
}
