package oracle

import (
	"slices"

	"dustbuster/operators/window/evidence"
)

// Groups returns the two groups of the sizes of a page, or the span of all its sizes if the page is not double. sizes are
// those of its days; without any it is not double.
func Groups(t float64, all evidence.Span, sizes []int64) []evidence.Span {
	if len(sizes) == 0 {
		return []evidence.Span{all}
	}
	sizes = append(slices.Clone(sizes), all.Min, all.Max)
	within := func(s evidence.Span) bool { return float64(s.Max-s.Min) <= t*float64(s.Max) }
	for _, from := range slices.Sorted(slices.Values(sizes)) { // the least size of the upper group
		var low, high []int64
		for _, size := range sizes {
			if size < from {
				low = append(low, size)
			} else {
				high = append(high, size)
			}
		}
		if len(low) == 0 {
			continue
		}
		small, large := evidence.Span{Min: slices.Min(low), Max: slices.Max(low)}, evidence.Span{Min: slices.Min(high), Max: slices.Max(high)}
		if within(small) && within(large) && 2*large.Min >= 3*small.Max {
			return []evidence.Span{small, large}
		}
	}
	return []evidence.Span{all}
}

// AlikeGroups reports whether the sizes of two pages in one class are similar, given their groups: both groups of two
// doubles, and else any.
func AlikeGroups(s evidence.Similarity, g, h []evidence.Span) bool {
	if len(g) == 2 && len(h) == 2 {
		return s.Near(g[0], h[0]) && s.Near(g[1], h[1])
	}
	return slices.ContainsFunc(g, func(a evidence.Span) bool {
		return slices.ContainsFunc(h, func(b evidence.Span) bool { return s.Near(a, b) })
	})
}

// AlikeDoubles reports whether two pages are similar, given the groups of their sizes.
func AlikeDoubles(s evidence.Similarity, e, f evidence.Spans, ofE, ofF func(s evidence.Span) []evidence.Span) bool {
	_, one := OneDigest(e)
	_, two := OneDigest(f)
	if s.Off || one && two {
		return s.Similar(e, f)
	}
	all := Common(e, f)
	return len(all) > 0 && !slices.ContainsFunc(all, func(both [2]evidence.Span) bool { return !AlikeGroups(s, ofE(both[0]), ofF(both[1])) })
}
