package cluster

import (
	"math"
	"math/rand/v2"
	"slices"
)

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
