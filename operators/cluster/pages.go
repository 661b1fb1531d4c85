package cluster

import (
	"strconv"

	"dustbuster/operators/equal"
	"dustbuster/operators/evidence"
)

// OfPages returns the clusters of pages that look equal in a log, with single URLs: the
// pages of one digest, and, of pages without a digest, the pages of one size. A size is a
// weak label, so the URLs of a size that more than [MostOfOneSize] URLs have are left out.
func OfPages(pages []evidence.Page) [][]string {
	var all []Labelled
	counts := map[equal.Set]int{}
	f := equal.Count(pages)
	for i := range pages {
		if s, ok := f.SetOf(pages[i].Evidence); ok {
			counts[s]++
		}
	}
	for i := range pages {
		s, ok := f.SetOf(pages[i].Evidence)
		if ok && (s.Class == evidence.Digest || counts[s] <= MostOfOneSize) {
			all = append(all, Labelled{pages[i].URL, strconv.Itoa(int(s.Class)) + " " + strconv.FormatInt(s.Value, 10)})
		}
	}
	return Of(all, 1)
}
