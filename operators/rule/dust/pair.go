package dust

import (
	"cmp"
	"iter"
	"strings"
	"unsafe"
)

// Pair is the two rules α → β and β → α. Alpha is the larger side: the side with more
// bytes, or, of equally long sides, the later in byte order. The sides are written
// without ^ and $.
type Pair struct {
	Alpha, Beta string
	AtStart     bool // both sides begin with ^
	AtEnd       bool // both sides end with $
}

// NewPair returns the pair of two sides in any order.
func NewPair(a, b string, atStart, atEnd bool) Pair {
	if Larger(b, a) {
		a, b = b, a
	}
	return Pair{a, b, atStart, atEnd}
}

// Larger reports whether a comes before b in a pair.
func Larger[S ~string | ~[]byte](a, b S) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return string(a) > string(b)
}

// Candidate is a likely rule: a pair with the number of envelopes that support it.
type Candidate struct {
	Pair
	Support     int // over buckets of at most T_low URLs
	SupportHigh int // over buckets of at most T_high URLs
}

// CompareRank is the order in which phase 2 visits the candidates: greater support first,
// then greater length. The order is total over different pairs. An anchor counts as a
// byte of both sides, less than any byte of a URL.
func CompareRank(a, b Candidate) int {
	if c := cmp.Or(cmp.Compare(b.SupportHigh, a.SupportHigh), cmp.Compare(b.Support, a.Support), cmp.Compare(b.length(), a.length())); c != 0 {
		return c
	}
	return compareTexts(&a.Pair, &b.Pair)
}

func compareTexts(p, q *Pair) int {
	if c := compareSides(p, q, p.Alpha, q.Alpha); c != 0 {
		return c
	}
	return compareSides(p, q, p.Beta, q.Beta)
}

// CompareSupport is the order of a finished list: by support, then by rank.
func CompareSupport(a, b Candidate) int {
	if c := cmp.Compare(b.Support, a.Support); c != 0 {
		return c
	}
	return CompareRank(a, b)
}

// length returns the length of both sides in bytes, anchors included.
func (p *Pair) length() int {
	n := len(p.Alpha) + len(p.Beta)
	if p.AtStart {
		n += 2
	}
	if p.AtEnd {
		n += 2
	}
	return n
}

// compareSides compares a side of one pair with a side of another.
func compareSides(p, q *Pair, a, b string) int {
	if p.AtStart == q.AtStart && p.AtEnd == q.AtEnd && !p.AtEnd { // nearly always
		return cmp.Compare(a, b)
	}
	return cmp.Compare(p.spell(a), q.spell(b))
}

// spell writes a side with its anchors as bytes that no URL holds.
func (p *Pair) spell(side string) string {
	if p.AtStart {
		side = "\x00" + side
	}
	if p.AtEnd {
		side += "\x01"
	}
	return side
}

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
