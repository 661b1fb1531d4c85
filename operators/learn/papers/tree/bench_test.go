package tree

import (
	"fmt"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
)

func BenchmarkLearn(b *testing.B) {
	worlds.BenchmarkClusters(b, func(clusters [][]string) int {
		_, deployed := Learn(clusters, worlds.Never)
		return len(deployed)
	})
}

// BenchmarkPlain measures the candidates by the plain definition, for comparison with
// Learn.
func BenchmarkPlain(b *testing.B) {
	sizes := []int{1_000, 4_000}
	if *worlds.Long {
		sizes = append(sizes, 70_000)
	}
	for _, n := range sizes {
		clusters := oracle.Clusters(1, n)
		b.Run(fmt.Sprint("plain/", n), func(b *testing.B) {
			for b.Loop() {
				plainCandidates(clusters)
			}
		})
		b.Run(fmt.Sprint("learn/", n), func(b *testing.B) {
			for b.Loop() {
				Learn(clusters, worlds.Never)
			}
		})
	}
}
