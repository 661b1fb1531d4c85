package worlds

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/window/evidence"
)

// Application returns the URL of an application and the size of its page: the i-th of a site
// of some pages.
type Application func(r *rand.Rand, i, pages int) (url string, size int64)

// WikiAndGit is of a wiki and a gitweb, with three parameters. About one URL in four shares a
// rest with another.
func WikiAndGit(r *rand.Rand, i, pages int) (url string, size int64) {
	page := r.IntN(pages)
	size = int64(2000 + page*37%90000)
	if i%2 == 0 {
		action := []string{"view", "edit", "history", "raw", "info"}[r.IntN(5)]
		return fmt.Sprintf("/w/index.php?title=Some_Page_%d&action=%s&oldid=%d", page, action, r.IntN(6*pages)), size + int64(len(action)*300)
	}
	action := []string{"blob", "commit", "tree", "blobdiff", "shortlog"}[r.IntN(5)]
	return fmt.Sprintf("/git/project%d.git;x?a=%s;h=%040x;s=%d", page%200, action, page*7919, r.IntN(30)), size + int64(len(action)*300)
}

// PagesOf returns n pages of an application. Of some, the URL without its last parameter is a
// page as well.
func PagesOf(n int, application Application) []evidence.Page {
	r := rand.New(rand.NewPCG(1, 1))
	m := map[string]evidence.Spans{}
	for i := 0; len(m) < n; i++ {
		url, size := application(r, i, n/4+1)
		m[url] = Size(size)
		if cut := strings.LastIndexAny(url, "?&;"); i%5 == 0 && len(m) < n {
			m[url[:cut]] = Size(size)
		}
	}
	return Pages(m)
}

// BenchmarkClusters measures the time to learn from the clusters of made-up sites.
func BenchmarkClusters(b *testing.B, learn func(clusters [][]string) (rules int)) {
	sizes := []int{20_000, 70_000}
	if *Long {
		sizes = append(sizes, 200_000, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			clusters := oracle.Clusters(1, n)
			b.ReportAllocs()
			for b.Loop() {
				b.ReportMetric(float64(learn(clusters)), "rules")
			}
		})
	}
}

// Heap returns the memory in use after a collection.
func Heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
