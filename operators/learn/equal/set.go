package equal

import "dustbuster/operators/window/evidence"

// Set identifies the URLs of one size in one class, or of one digest.
type Set struct {
	Value int64
	Class uint8 // evidence.Digest: Value is a digest
}

// Frequencies counts the URLs of a list that have sizes of a class.
type Frequencies [evidence.Digest]int

// Count counts the URLs of a list.
func Count(pages []evidence.Page) (f Frequencies) {
	for i := range pages {
		for _, s := range pages[i].Evidence.Sizes() {
			f[s.Class]++
		}
	}
	return f
}

// SetOf returns the set of a URL, or false if the URL is in no set.
func (f *Frequencies) SetOf(e evidence.Spans) (Set, bool) {
	if d, ok := e.Digest(); ok {
		return Set{d, evidence.Digest}, true
	}
	sizes := e.Sizes()
	if len(sizes) == 0 {
		return Set{}, false
	}
	s := sizes[0]
	for _, other := range sizes[1:] {
		if f[other.Class] > f[s.Class] {
			s = other
		}
	}
	return Set{s.Min, s.Class}, s.Min == s.Max && s.Min > 0
}
