package urllist

// Span is a closed interval of sizes in bytes, seen in one class of answers.
// Sizes compare only within a class (the content encoding, where the log tells
// it; 0 where it does not).
//
// The span of class [Digest] holds digests instead: Min = Max is the one digest
// that all answers had, anything else says that they differed.
type Span struct {
	Min, Max int64
	Class    uint8
}

// Digest is the class of the span that holds content digests. It is the
// greatest class, so it stands last in an [Evidence].
const Digest = 255

// Evidence is what is known of a page: at most one span a class, in ascending
// order of class. Empty: the URL is known and its size is not.
type Evidence []Span

// Digest returns the one digest of the page's content; false if there is none
// or more than one.
func (e Evidence) Digest() (int64, bool) {
	if n := len(e); n > 0 && e[n-1].Class == Digest && e[n-1].Min == e[n-1].Max {
		return e[n-1].Min, true
	}
	return 0, false
}

// HasDigest tells whether any digest is known, be it one or several.
func (e Evidence) HasDigest() bool { return len(e) > 0 && e[len(e)-1].Class == Digest }

// Sizes is the evidence without digests.
func (e Evidence) Sizes() Evidence {
	if e.HasDigest() {
		return e[:len(e)-1]
	}
	return e
}

// Equal tells whether two pieces of evidence say the same.
func (e Evidence) Equal(f Evidence) bool {
	if len(e) != len(f) {
		return false
	}
	for i := range e {
		if e[i] != f[i] {
			return false
		}
	}
	return true
}

// Similarity is the test of *likely similar* (DustBuster, WWW 2007, section
// 5.1, with size_tolerance).
type Similarity struct {
	Tolerance float64 // t: how far apart two sizes may be, as a share of the larger; 0 is the paper's test
	Off       bool    // every two URLs are similar, sizes known or not
}

// Similar tells whether two pages are likely similar: by their digests if both
// have one, else by their sizes in every class that both have, of which there
// must be one. Symmetric. O(spans).
func (s Similarity) Similar(e, f Evidence) bool {
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

func (s Similarity) similarSizes(e, f Evidence) bool {
	common := false
	for i, j := 0, 0; i < len(e) && j < len(f); {
		switch {
		case e[i].Class < f[j].Class:
			i++
		case e[i].Class > f[j].Class:
			j++
		case !s.Near(e[i], f[j]):
			return false
		default:
			common = true
			i++
			j++
		}
	}
	return common
}

// Near tells whether two intervals of sizes lie within the tolerance of each
// other.
func (s Similarity) Near(a, b Span) bool {
	gap := max(a.Min-b.Max, b.Min-a.Max, 0)
	return float64(gap) <= s.Tolerance*float64(max(a.Max, b.Max))
}
