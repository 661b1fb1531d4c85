package evidence

import "slices"

// A page is double in a class if its sizes there fall into two groups: one answer is sent packed to some clients and
// unpacked to others, in a log that does not tell its encoding. A split page has two spans of that class, the smaller
// sizes first. Only Similar, Comparable and Common take split pages.

// leastRatio is the least ratio of the sizes of the two groups. Packed pages are mostly a third to a fifth as large.
const leastRatio = 1.5

// Split returns the evidence of a page with two spans in each class in which the page is double, and whether there is such
// a class. Days appends all days that are known of a page; in a class without a day the page is not double. Nil: no days are
// known. O(days).
func (s Similarity) Split(p *Page, days func(to []Day, p *Page) []Day) (split Spans, is bool) {
	if s.Off || days == nil || !slices.ContainsFunc(p.Evidence, Span.mayBeDouble) {
		return nil, false
	}
	known := days(nil, p)
	for _, span := range p.Evidence {
		if low, high, ok := s.groups(span, known); ok {
			split, is = append(split, low, high), true
		} else {
			split = append(split, span)
		}
	}
	return split, is
}

func (s Span) mayBeDouble() bool {
	return s.Class != Digest && float64(s.Max) >= leastRatio*float64(s.Min)
}

// groups returns the two groups of the sizes of a span. ok is false if the sizes are not two groups.
func (s Similarity) groups(span Span, days []Day) (low, high Span, ok bool) {
	if !span.mayBeDouble() {
		return low, high, false
	}
	var sizes []int64
	for i := range days {
		if d := &days[i]; d.Class == span.Class {
			sizes = append(append(sizes, d.Min, d.Max), d.Sizes()...)
		}
	}
	if sizes == nil {
		return low, high, false
	}
	sizes = append(sizes, span.Min, span.Max)
	slices.Sort(sizes)
	for i := 1; i < len(sizes); i++ {
		low = Span{Min: sizes[0], Max: sizes[i-1], Class: span.Class}
		high = Span{Min: sizes[i], Max: sizes[len(sizes)-1], Class: span.Class}
		if float64(high.Min) >= leastRatio*float64(low.Max) && !s.Apart(low) && !s.Apart(high) {
			return low, high, true
		}
	}
	return low, high, false
}
