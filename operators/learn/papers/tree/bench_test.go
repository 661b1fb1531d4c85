package tree

import (
	"fmt"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/papers/cluster"
)

// BenchmarkLearn measures the time to learn from the clusters of made-up sites.
func BenchmarkLearn(b *testing.B) {
	sizes := []int{20_000, 70_000}
	if *worlds.Long {
		sizes = append(sizes, 200_000, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			clusters := oracle.Clusters(1, n)
			b.ReportAllocs()
			for b.Loop() {
				_, deployed := Learn(clusters, Options{})
				b.ReportMetric(float64(len(deployed)), "rules")
			}
			b.ReportMetric(float64(cluster.URLs(clusters)), "URLs")
		})
	}
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
				plainCandidates(clusters, Options{})
			}
		})
		b.Run(fmt.Sprint("learn/", n), func(b *testing.B) {
			for b.Loop() {
				Learn(clusters, Options{})
			}
		})
	}
}
