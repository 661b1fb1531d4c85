package tree

import (
	"cmp"
	"slices"
)

// pair is two nodes that share duplicates. Source and target may be one node.
type pair struct{ source, target int32 }

type share struct{ node, rows int32 }

// sharesOf returns for each cluster the nodes with its URLs, in order.
func (b *tree) sharesOf() [][]share {
	leaves := b.leafOf()
	var clusters [][]share
	counts := make([]int32, len(b.nodes))
	for from := 0; from < len(b.t.Rows); {
		c := b.t.Rows[from].Cluster
		var touched []int32
		for ; from < len(b.t.Rows) && b.t.Rows[from].Cluster == c; from++ {
			for n := leaves[from]; n != absent; n = b.nodes[n].parent {
				if counts[n] == 0 {
					touched = append(touched, n)
				}
				counts[n]++
			}
		}
		slices.Sort(touched)
		shares := make([]share, len(touched))
		for i, n := range touched {
			shares[i] = share{n, counts[n]}
			counts[n] = 0
		}
		clusters = append(clusters, shares)
	}
	return clusters
}

// pairs returns the pairs of nodes with an overlap of at least one half, in both
// directions, and the nodes with a duplicate rate of at least one half, paired with
// themselves. ok is false if it is stopped.
func (b *tree) pairs() (all []pair, ok bool) {
	clusters := b.sharesOf()
	in := make([][]int32, len(b.nodes)) // clusters by node
	for c, shares := range clusters {
		for _, s := range shares {
			in[s.node] = append(in[s.node], int32(c))
		}
	}
	common := make([]int32, len(b.nodes)) // by node: URLs of common clusters in either node
	for s := range b.nodes {
		if b.stop() {
			return nil, false
		}
		source, end := int32(s), b.nodes[s].end
		var touched []int32
		for _, c := range in[s] {
			shares := clusters[c]
			at, _ := slices.BinarySearchFunc(shares, source, func(a share, n int32) int { return int(a.node) - int(n) })
			own := shares[at].rows
			for _, t := range shares[at+1:] {
				if common[t.node] == 0 {
					touched = append(touched, t.node)
				}
				common[t.node] += own
				if t.node >= end { // the nodes have no URL in common
					common[t.node] += t.rows
				}
			}
		}
		rows := len(b.nodes[s].rows)
		if 2*(rows-len(in[s])) >= rows {
			all = append(all, pair{source, source})
		}
		slices.Sort(touched)
		for _, t := range touched {
			if 2*int(common[t]) >= rows+len(b.nodes[t].rows) {
				all = append(all, pair{source, t}, pair{t, source})
			}
			common[t] = 0
		}
	}
	slices.SortFunc(all, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target))
	})
	return all, true
}
