package drops

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

// crowdedURL returns URLs of eight names, the most that give pairs.
func crowdedURL(r *rand.Rand, i, pages int) (url string, bytes int64) {
	page := r.IntN(pages)
	return fmt.Sprintf("/shop/%d/list?a=%d&b=%d&c=%d&d=%d&e=%d&f=%d&g=%d&h=%d", page%50, page, r.IntN(3), r.IntN(3), r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(100), i),
		int64(2000 + page*37%90000 + r.IntN(2)*5000)
}

// wideURL returns URLs of twenty names.
func wideURL(r *rand.Rand, _, pages int) (url string, bytes int64) {
	page := r.IntN(pages)
	var b strings.Builder
	fmt.Fprintf(&b, "/form/%d/edit?id=%d", page%7, page)
	for i := range 19 {
		fmt.Fprintf(&b, "&field%d=%d", i, r.IntN(2)*r.IntN(2)*r.IntN(2)*r.IntN(2))
	}
	return b.String(), int64(2000 + page*37%90000 + r.IntN(3)*3000)
}

// buildURL returns URLs with a name that is itself a value.
func buildURL(r *rand.Rand, i, pages int) (url string, bytes int64) {
	page := r.IntN(pages)
	return fmt.Sprintf("/static/app%d.js?v=%d&%d", page, r.IntN(50), 1795167958+i), int64(2000 + page*37)
}

func BenchmarkLearn(b *testing.B) {
	for _, s := range []struct {
		name string
		url  worlds.Application
		n    int
	}{
		{"site", worlds.WikiAndGit, 2e4}, {"site", worlds.WikiAndGit, 1e6},
		{"crowded", crowdedURL, 2e4}, {"crowded", crowdedURL, 2e5}, {"wide", wideURL, 1e3}, {"wide", wideURL, 2e4}, {"build", buildURL, 2e4}, {"build", buildURL, 2e5},
	} {
		b.Run(fmt.Sprint(s.name, "-", s.n), func(b *testing.B) { benchmarkLearn(b, worlds.PagesOf(s.n, s.url)) })
	}
}

// BenchmarkCrawls learns from real logs of crawls, in the folder DUSTBUSTER_DATA.
func BenchmarkCrawls(b *testing.B) {
	for _, name := range []string{"sites/docs/access", "sites/gitweb/access", "logs/bplogs", "logs/semicomplete", "logs/nspw"} {
		file := worlds.Data(b, name+".log.gz")
		b.Run(name, func(b *testing.B) { benchmarkLearn(b, worlds.Log(b, file)) })
	}
}

func benchmarkLearn(b *testing.B, pages []evidence.Page) {
	b.ReportAllocs()
	rules := 0
	for b.Loop() {
		list, _ := Learn(defaults, pages, nil)
		rules = len(list)
	}
	b.ReportMetric(float64(len(pages)), "URLs")
	b.ReportMetric(float64(rules), "rules")
}
