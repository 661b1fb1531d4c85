package dust

import (
	"bytes"
	"iter"
)

// Replacements yields the URLs that make an instance of the pair with a URL that
// has Alpha, from the left: both sides lie on token boundaries and, where the
// pair is anchored, at the ends. What is yielded is valid until the next.
func (p Pair) Replacements(url []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var out []byte
		for at := 0; at+len(p.Alpha) <= len(url); at++ {
			next := bytes.Index(url[at:], []byte(p.Alpha))
			if next < 0 {
				return
			}
			at += next
			end := at + len(p.Alpha)
			if !p.fits(url, at, end) {
				continue
			}
			out = append(append(append(out[:0], url[:at]...), p.Beta...), url[end:]...)
			if p.fits(out, at, at+len(p.Beta)) && !yield(out) {
				return
			}
		}
	}
}

// fits tells whether an occurrence lies on token boundaries, and at the ends of
// the URL where the pair is anchored.
func (p Pair) fits(url []byte, at, end int) bool {
	return (!p.AtStart || at == 0) && (!p.AtEnd || end == len(url)) &&
		boundary(url, at) && boundary(url, end)
}
