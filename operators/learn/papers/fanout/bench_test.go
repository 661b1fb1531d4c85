package fanout

import (
	"testing"

	"dustbuster/internal/worlds"
)

func BenchmarkLearn(b *testing.B) {
	worlds.BenchmarkClusters(b, func(clusters [][]string) int {
		_, deployed := Learn(clusters, Options{})
		return len(deployed)
	})
}
