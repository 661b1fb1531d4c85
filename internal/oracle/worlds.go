package oracle

import (
	"iter"
	"slices"

	"dustbuster/operators/window/evidence"
)

// Strings returns all strings of 0 to maxLength bytes of an alphabet, shorter strings
// first.
func Strings(alphabet string, maxLength int) []string {
	all := []string{""}
	for last := all; maxLength > 0; maxLength-- {
		var longer []string
		for _, s := range last {
			for _, c := range []byte(alphabet) {
				longer = append(longer, s+string(c))
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

// Intervals returns all possible evidence of a size from 1 to largest: none, and every
// closed interval.
func Intervals(largest int64) []evidence.Spans {
	all := []evidence.Spans{nil}
	for low := int64(1); low <= largest; low++ {
		for high := low; high <= largest; high++ {
			all = append(all, evidence.Spans{{Min: low, Max: high}})
		}
	}
	return all
}

// SmallWorlds yields every list of 1 to maxURLs different URLs of at most maxLength bytes
// of an alphabet, each URL with each of the pieces of evidence. Lists that differ only in
// order are yielded once. With s strings and e pieces of evidence there are sum over k of
// C(s, k) · e^k lists: for {a, ., /}, lengths up to 2, 3 URLs and Intervals(2), 19,604.
// The caller may keep the list; its spans are shared.
func SmallWorlds(alphabet string, maxLength, maxURLs int, spans []evidence.Spans) iter.Seq[[]evidence.Page] {
	texts := Strings(alphabet, maxLength)
	return func(yield func([]evidence.Page) bool) {
		extend(nil, texts, maxURLs, spans, yield)
	}
}

// extend yields every way to append up to more pages with URLs of texts to a list, and
// returns false to stop.
func extend(list []evidence.Page, texts []string, more int, spans []evidence.Spans, yield func([]evidence.Page) bool) bool {
	if more == 0 {
		return true
	}
	for i, text := range texts {
		for _, e := range spans {
			longer := append(list, evidence.Page{URL: text, Evidence: e})
			if !yield(slices.Clone(longer)) || !extend(longer, texts[i+1:], more-1, spans, yield) {
				return false
			}
		}
	}
	return true
}
