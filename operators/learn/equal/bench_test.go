package equal

import (
	"flag"
	"fmt"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/window/evidence"
)

var benchURLs = flag.Int("urls", 100_000, "URLs of the largest site in BenchmarkLearn")

// BenchmarkLearn runs the learner over a generated site, as it is and with one size
// everywhere, and reports the time of a URL and the memory at the end.
func BenchmarkLearn(b *testing.B) {
	for _, n := range []int{20_000, *benchURLs} {
		pages := oracle.Site(1, n)
		b.Run(fmt.Sprint("site/", n), func(b *testing.B) { learn(b, pages) })
		for i := range pages {
			pages[i].Evidence = worlds.Size(100)
		}
		b.Run(fmt.Sprint("one-size/", n), func(b *testing.B) { learn(b, pages) })
	}
}

func learn(b *testing.B, pages []evidence.Page) {
	var rules int
	for b.Loop() {
		got, _ := Learn(Options{Envelope: envelope.Defaults()}, pages, worlds.Never)
		rules = len(got)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(pages)), "ns/URL")
	b.ReportMetric(float64(rules), "rules")
	with := heap(b, pages)
	b.ReportMetric(with/float64(len(pages)), "B/URL")
}

// heap returns the memory held by a run that is about to end.
func heap(b *testing.B, pages []evidence.Page) float64 {
	before, most := worlds.Heap(), int64(0)
	calls, every := 0, max(1, len(pages)/stopEvery/8)
	Learn(Options{Envelope: envelope.Defaults()}, pages, func() bool {
		if calls++; calls%every == 0 {
			most = max(most, worlds.Heap())
		}
		return false
	})
	return float64(most) - float64(min(before, most))
}
