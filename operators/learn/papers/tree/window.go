package tree

import (
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// LearnWindow returns the likely rules of the pages of a window, best first: see
// [cluster.LearnWindow].
func LearnWindow(similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	return cluster.LearnWindow(Name, func(clusters [][]string, stop func() bool) []cluster.Learned {
		return deployed(clusters, Options{Stop: stop})
	}, similar, pages, stop)
}
