package kinds

import (
	"fmt"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

// BenchmarkLearn learns from sites of four kinds of URLs: plain ones, builds named by
// patterns, parameters in the path, and unsorted parameters.
func BenchmarkLearn(b *testing.B) {
	for _, n := range []int{2e4, 1e6} {
		sizes := map[string]evidence.Spans{}
		for i := range n {
			url := []string{
				fmt.Sprintf("/wiki/Page_%d?action=view&oldid=%d", i/8, i),
				fmt.Sprintf("/static/app%d.js?v%x", i%300, 0x83120000+i*7919),
				fmt.Sprintf("/shop/item%d;jsessionid=%032X?page=1", i/16, i*7919),
				fmt.Sprintf("/list/%d?b=%d&a=%d", i/32, i%5, i%7),
			}[i%4]
			sizes[url] = worlds.Size(int64(1000 + i/16%500))
		}
		pages := worlds.Pages(sizes)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			rules := 0
			for b.Loop() {
				list, _ := Learn(Options{}, pages, nil)
				rules = len(list)
			}
			b.ReportMetric(float64(rules), "rules")
		})
	}
}
