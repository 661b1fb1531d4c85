package cluster

import (
	"cmp"
	"math"
	"math/rand/v2"
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

// Shares are the shares of the clusters that a split learns from and chooses by. The rest is
// for the test. The share 1 of Learning means a test in the sample: all three parts are the
// whole clustering.
type Shares struct {
	Learning float64 // 0 to 1
	Choosing float64 // 0 to 1; of the rules to deploy
}

// Parts are the parts of a split, each a clustering.
type Parts struct{ Learning, Choosing, Test [][]string }

// Split splits a clustering by whole clusters, at random. The result is a function of the
// arguments. O(clusters log clusters).
func Split(clusters [][]string, s Shares, seed uint64) Parts {
	if s.Learning >= 1 {
		return Parts{clusters, clusters, clusters}
	}
	places := rand.New(rand.NewPCG(seed, splitStream)).Perm(len(clusters))
	number := func(share float64) int { return int(math.Round(share * float64(len(places)))) }
	learning := number(s.Learning)
	choosing := min(learning+number(s.Choosing), len(places))
	part := func(from, to int) [][]string {
		slices.Sort(places[from:to])
		part := make([][]string, 0, to-from)
		for _, place := range places[from:to] {
			part = append(part, clusters[place])
		}
		return part
	}
	return Parts{part(0, learning), part(learning, choosing), part(choosing, len(places))}
}

// splitStream makes the random numbers of Split differ from those of other users of the same
// seed.
const splitStream = 0x636c7573746572
