package lifecycle

import (
	"strings"

	"dustbuster/operators/learn/params"
	"dustbuster/operators/window/evidence"
)

// A page repeats its own URL in links and forms. In some pages the repetitions dominate the
// size: a listing of source has a link for each line. Two copies of such a page differ in
// size by a whole multiple of the difference in the length of their URLs, and no tolerance
// suited to other pages makes the copies similar. This file finds drops that are likely for
// this reason, among the forms.

// leastDifference is the least difference in length, in bytes, of two URLs before a
// multiple of the difference is believed. A chance match then has a probability of at most
// one in eight for each pair, and the groups of a likely drop agree nine times in ten.
const leastDifference = 8

// alike reports whether two pages are similar by size, or may be one page that repeats its
// URL, or whether the size of one page is unknown.
func alike(o *Options, a, b *evidence.Page) bool {
	return len(a.Evidence) == 0 || len(b.Evidence) == 0 ||
		o.Miner.Envelope.Similarity.Similar(a.Evidence, b.Evidence) || repeats(a, b)
}

// repeats reports whether the sizes of two pages differ by a multiple, 1 or more, of the
// difference in the length of their URLs.
func repeats(longer, shorter *evidence.Page) bool {
	if len(longer.URL) < len(shorter.URL) {
		longer, shorter = shorter, longer
	}
	difference := int64(len(longer.URL) - len(shorter.URL))
	if difference < leastDifference {
		return false
	}
	shared := false
	for _, s := range longer.Evidence {
		for _, t := range shorter.Evidence {
			if s.Class != t.Class || s.Class == evidence.Digest {
				continue
			}
			more := s.Min - t.Min
			if shared = true; more < difference || more%difference != 0 {
				return false
			}
		}
	}
	return shared
}

func pieces(query string) []string {
	all := strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' })
	return all[:min(len(all), params.DefaultMaxParams)]
}
