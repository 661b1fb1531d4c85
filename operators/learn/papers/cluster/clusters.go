package cluster

import (
	"cmp"
	"slices"
)

// Labelled is a URL with a label of its page, such as a digest.
type Labelled struct {
	URL   string // mined string
	Label string // "": unknown
}

// Of returns the clusters of the URLs with equal labels. Clusters of fewer than least URLs
// are left out: with 2 the result is for learners, with 1 for the judgement of rules. A URL
// without a label, or with two labels, is in no cluster. Of may reorder the argument.
// O(n log n).
func Of(all []Labelled, least int) [][]string {
	slices.SortFunc(all, func(a, b Labelled) int { return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Label, b.Label)) })
	place := map[string]int{} // of the label's cluster
	var clusters [][]string
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].URL == all[from].URL {
			to++
		}
		first, last := all[from], all[to-1]
		from = to
		if first.Label != last.Label || first.Label == "" {
			continue
		}
		at, known := place[first.Label]
		if !known {
			at = len(clusters)
			place[first.Label] = at
			clusters = append(clusters, nil)
		}
		clusters[at] = append(clusters[at], first.URL)
	}
	return slices.DeleteFunc(clusters, func(c []string) bool { return len(c) < least })
}

// MostOfOneSize is the greatest number of URLs of a cluster whose label is weak, such as a
// size. Pages of one size are seldom one page if there are many of them.
const MostOfOneSize = 30

// Weak returns the clusters of at most [MostOfOneSize] URLs.
func Weak(clusters [][]string) [][]string {
	return slices.DeleteFunc(slices.Clone(clusters), func(c []string) bool { return len(c) > MostOfOneSize })
}

// URLs returns the number of URLs.
func URLs(clusters [][]string) (n int) {
	for _, c := range clusters {
		n += len(c)
	}
	return n
}
