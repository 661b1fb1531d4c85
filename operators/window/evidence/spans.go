package evidence

import "slices"

// Span is a closed interval of sizes in bytes, seen in one class of answers. Sizes are
// compared only within a class. The class is the content encoding if the log has the
// encoding, and 0 otherwise.
//
// The span of class [Digest] holds digests instead: Min = Max is the one digest of all
// answers. If Min and Max differ, the answers had different digests.
type Span struct {
	Min, Max int64
	Class    uint8
}

// Digest is the class of the span of content digests. Digest is the greatest class, so the
// span is the last of its Spans.
const Digest = 255

// Spans is the evidence about a page: at most one span of each class, in ascending order of
// class. Without spans, the URL is known and the size is unknown.
type Spans []Span

// Digest returns the one digest of the page's content. Digest returns false if there is no
// digest or more than one.
func (e Spans) Digest() (int64, bool) {
	if n := len(e); n > 0 && e[n-1].Class == Digest && e[n-1].Min == e[n-1].Max {
		return e[n-1].Min, true
	}
	return 0, false
}

// HasDigest reports whether at least one digest is known.
func (e Spans) HasDigest() bool { return len(e) > 0 && e[len(e)-1].Class == Digest }

// Sizes returns the spans without digests.
func (e Spans) Sizes() Spans {
	if e.HasDigest() {
		return e[:len(e)-1]
	}
	return e
}

// Equal reports whether two pages have the same spans.
func (e Spans) Equal(f Spans) bool { return slices.Equal(e, f) }

// Touches reports whether two pages have had one exactly equal size or digest.
func (e Spans) Touches(f Spans) bool {
	return slices.ContainsFunc(e, func(s Span) bool {
		return slices.ContainsFunc(f, func(t Span) bool {
			return s.Class == t.Class && (s.Min == t.Min || s.Min == t.Max || s.Max == t.Min || s.Max == t.Max)
		})
	})
}

// Join widens the span of a class, or adds it in its place. It may write to e, and returns
// the result, as append does.
func (e Spans) Join(s Span) Spans {
	at := 0
	for at < len(e) && e[at].Class < s.Class {
		at++
	}
	if at == len(e) || e[at].Class != s.Class {
		return slices.Insert(e, at, s)
	}
	x := Extent{Min: e[at].Min, Max: e[at].Max}
	x.Join(Extent{Min: s.Min, Max: s.Max})
	e[at].Min, e[at].Max = x.Min, x.Max
	return e
}

// Similarity is the test of *likely similar* (DustBuster, WWW 2007, section
// 5.1, with size_tolerance).
type Similarity struct {
	Tolerance float64 // t: how far apart two sizes may be, as a share of the larger; 0 is the paper's test
	Off       bool    // all URLs are similar, with or without known sizes
}

// Similar reports whether two pages are likely similar: by their digests if both pages have
// one, otherwise by their sizes in every class common to both pages, of which there must be
// at least one. Similar is symmetric. O(spans).
func (s Similarity) Similar(e, f Spans) bool {
	if s.Off {
		return true
	}
	if len(e) == 1 && len(f) == 1 && e[0].Class == f[0].Class && e[0].Class != Digest { // nearly always
		return s.Near(e[0], f[0])
	}
	if d, ok := e.Digest(); ok {
		if d2, ok := f.Digest(); ok {
			return d == d2
		}
	}
	return s.similarSizes(e.Sizes(), f.Sizes())
}

func (s Similarity) similarSizes(e, f Spans) bool {
	common := false
	for len(e) > 0 && len(f) > 0 {
		switch {
		case e[0].Class < f[0].Class:
			e = e[1:]
		case e[0].Class > f[0].Class:
			f = f[1:]
		default:
			n, m := e.double(), f.double()
			if !s.nearGroups(e[:n], f[:m]) {
				return false
			}
			common, e, f = true, e[n:], f[m:]
		}
	}
	return common
}

// double returns how many spans are of the first class: two if the page is double, else one.
func (e Spans) double() int {
	if len(e) > 1 && e[1].Class == e[0].Class {
		return 2
	}
	return 1
}

// nearGroups reports whether the sizes of two pages in one class are similar: both groups of two doubles, and one
// group of a double if the other page is none.
func (s Similarity) nearGroups(e, f Spans) bool {
	switch {
	case len(e) < len(f):
		return s.nearGroups(f, e)
	case len(e) == len(f) && len(e) == 2:
		return s.Near(e[0], f[0]) && s.Near(e[1], f[1])
	}
	return s.Near(e[0], f[0]) || len(e) == 2 && s.Near(e[1], f[0])
}

// Comparable reports whether the test of Similar says something about two pages: both have
// a digest, or sizes in a common class. O(spans).
func (s Similarity) Comparable(e, f Spans) bool {
	_, ok := e.Common(f)
	return s.Off || ok
}

// Common returns the class in which two pages are compared: [Digest] if both have one
// digest, and otherwise the smallest class of sizes that both have. ok is false if there is
// none. O(spans).
func (e Spans) Common(f Spans) (class uint8, ok bool) {
	if _, ok := e.Digest(); ok {
		if _, ok := f.Digest(); ok {
			return Digest, true
		}
	}
	e, f = e.Sizes(), f.Sizes()
	for i, j := 0, 0; i < len(e) && j < len(f); {
		switch {
		case e[i].Class < f[j].Class:
			i++
		case e[i].Class > f[j].Class:
			j++
		default:
			return e[i].Class, true
		}
	}
	return 0, false
}

// Known reports whether the evidence about a page can be compared with some evidence: a
// size is known, or one digest.
func (s Similarity) Known(e Spans) bool { return s.Off || e.Known() }

// Known reports whether a size is known, or one digest.
func (e Spans) Known() bool {
	_, ok := e.Digest()
	return ok || len(e.Sizes()) > 0
}

// Near reports whether two intervals of sizes lie within the tolerance of each
// other.
func (s Similarity) Near(a, b Span) bool {
	gap := max(a.Min-b.Max, b.Min-a.Max, 0)
	return float64(gap) <= s.Tolerance*float64(max(a.Max, b.Max))
}

// Apart reports whether the ends of an interval of sizes do not lie within the tolerance: the page
// changes.
func (s Similarity) Apart(a Span) bool { return float64(a.Max-a.Min) > s.Tolerance*float64(a.Max) }
