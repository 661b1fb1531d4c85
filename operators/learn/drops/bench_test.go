package drops

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// siteURL returns URLs of a wiki and a gitweb, with three parameters. About one rest in
// four is shared with another URL.
func siteURL(r *rand.Rand, i, pages int) (url string, bytes int64) {
	page := r.IntN(pages)
	bytes = int64(2000 + page*37%90000)
	if i%2 == 0 {
		action := []string{"view", "edit", "history", "raw", "info"}[r.IntN(5)]
		return fmt.Sprintf("/w/index.php?title=Some_Page_%d&action=%s&oldid=%d", page, action, r.IntN(6*pages)), bytes + int64(len(action)*300)
	}
	action := []string{"blob", "commit", "tree", "blobdiff", "shortlog"}[r.IntN(5)]
	return fmt.Sprintf("/git/project%d.git;x?a=%s;h=%040x;s=%d", page%200, action, page*7919, r.IntN(30)), bytes + int64(len(action)*300)
}

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

func benchSite(n int, siteURL func(*rand.Rand, int, int) (string, int64)) []evidence.Page {
	r := rand.New(rand.NewPCG(1, 1))
	m := map[string]evidence.Spans{}
	for i := 0; len(m) < n; i++ {
		url, bytes := siteURL(r, i, n/4+1)
		m[url] = size(bytes)
		if cut := strings.LastIndexAny(url, "?&;"); i%5 == 0 && len(m) < n {
			m[url[:cut]] = size(bytes)
		}
	}
	return pagesOf(m)
}

func BenchmarkLearn(b *testing.B) {
	for _, s := range []struct {
		name string
		url  func(*rand.Rand, int, int) (string, int64)
		n    int
	}{
		{"site", siteURL, 2e4}, {"site", siteURL, 1e6},
		{"crowded", crowdedURL, 2e4}, {"crowded", crowdedURL, 2e5}, {"wide", wideURL, 1e3}, {"wide", wideURL, 2e4}, {"build", buildURL, 2e4}, {"build", buildURL, 2e5},
	} {
		b.Run(fmt.Sprint(s.name, "-", s.n), func(b *testing.B) { benchmarkLearn(b, benchSite(s.n, s.url)) })
	}
}

// BenchmarkCrawls learns from real logs of crawls, in the folder DUSTBUSTER_DATA.
func BenchmarkCrawls(b *testing.B) {
	for _, name := range []string{"sites/docs/access", "sites/gitweb/access", "logs/bplogs", "logs/semicomplete", "logs/nspw"} {
		file := filepath.Join(os.Getenv("DUSTBUSTER_DATA"), name+".log.gz")
		if _, err := os.Stat(file); err == nil {
			b.Run(name, func(b *testing.B) { benchmarkLearn(b, readCrawl(b, file)) })
		}
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
