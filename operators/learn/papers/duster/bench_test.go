package duster

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

var long = flag.Bool("long", false, "also measure a million URLs")

// site returns clusters of about n URLs in all: manuals in several places and languages,
// listings with orders, and builds of many versions.
func site(n int) (clusters [][]string) {
	random := rand.New(rand.NewPCG(7, 7))
	for urls := 0; urls < n; {
		page := random.IntN(1e6)
		cluster := map[string]bool{}
		for range 2 + random.IntN(10) {
			switch page % 3 {
			case 0:
				cluster[fmt.Sprintf("/%s/manual/section%d/page-%d.html?lang=%s", []string{"docs", "help", "man"}[random.IntN(3)], page%40, page, []string{"en", "de", "fr", "pt"}[random.IntN(4)])] = true
			case 1:
				cluster[fmt.Sprintf("/shop/list/%d/?sort=%c&dir=%c&sid=%08x", page, 'a'+random.IntN(4), 'a'+random.IntN(2), random.Uint32())] = true
			default:
				cluster[fmt.Sprintf("/builds/v%d.%d/file_%d.tar.gz", random.IntN(9), random.IntN(20), page)] = true
			}
		}
		var list []string
		for url := range cluster {
			list = append(list, url)
		}
		urls += len(list)
		clusters = append(clusters, list)
	}
	return clusters
}

// BenchmarkLearn learns the candidates of made-up sites.
func BenchmarkLearn(b *testing.B) {
	sizes := []int{20_000}
	if *long {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			clusters := site(n)
			b.ReportAllocs()
			rules := 0
			for b.Loop() {
				rules = len(Learn(clusters, Options{}))
			}
			b.ReportMetric(float64(rules), "rules")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/URL")
		})
	}
}

// BenchmarkRewrite applies the rules of a site to its URLs.
func BenchmarkRewrite(b *testing.B) {
	clusters := site(20_000)
	rules := Learn(clusters, Options{})
	changed := 0
	for b.Loop() {
		for i := range rules {
			for _, urls := range clusters {
				for _, url := range urls {
					if _, ok := rules[i].Rewrite(url); ok {
						changed++
					}
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000/float64(max(1, len(rules))), "ns/URL/rule")
}

// BenchmarkDearest learns from one cluster of ten long URLs that share little.
func BenchmarkDearest(b *testing.B) {
	var urls []string
	random := rand.New(rand.NewPCG(8, 8))
	for range 10 {
		url := ""
		for len(url) < 2000 && len(url) < maxTokens {
			url += string("abcdefgh/.-_"[random.IntN(12)]) + string("0123456789"[random.IntN(10)])
		}
		urls = append(urls, url)
	}
	for b.Loop() {
		Learn([][]string{urls}, Options{MinClusters: 1})
	}
}
