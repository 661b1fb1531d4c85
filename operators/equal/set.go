package equal

import "dustbuster/operators/evidence"

// set identifies the URLs of one size in one class, or of one digest.
type set struct {
	value int64
	class uint8 // evidence.Digest: value is a digest
}

// frequencies counts the URLs of a list that have sizes of a class.
type frequencies [evidence.Digest]int

func count(pages []evidence.Page) (f frequencies) {
	for i := range pages {
		for _, s := range pages[i].Evidence.Sizes() {
			f[s.Class]++
		}
	}
	return f
}

// setOf returns the set of a URL, or false if the URL is in no set.
func (f *frequencies) setOf(e evidence.Spans) (set, bool) {
	if d, ok := e.Digest(); ok {
		return set{d, evidence.Digest}, true
	}
	sizes := e.Sizes()
	if len(sizes) == 0 {
		return set{}, false
	}
	s := sizes[0]
	for _, other := range sizes[1:] {
		if f[other.Class] > f[s.Class] {
			s = other
		}
	}
	return set{s.Min, s.Class}, s.Min == s.Max && s.Min > 0
}
