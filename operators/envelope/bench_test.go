package envelope

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"dustbuster/operators/oracle"
	"dustbuster/operators/urllist"
)

// BenchmarkEnter builds the index of a generated site (oracle.Site), and says
// what a URL costs in time and in retained memory, the texts apart.
func BenchmarkEnter(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			urls, ids, evidence := site(n)
			var x *Index
			for b.Loop() {
				x = New(Defaults(), urls)
				enterAll(x, ids, evidence)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/URL")
			report(b, x)
		})
	}
}

// site is a generated site of n URLs, in random order. The evidence is in the
// list already, as it is when an index is built anew.
func site(n int) (*urllist.List, []uint32, []urllist.Evidence) {
	urls := urllist.New()
	var ids []uint32
	var evidence []urllist.Evidence
	pages := oracle.Site(1, n)
	rng := rand.New(rand.NewPCG(1, 1)) // a log's order, not a generator's
	rng.Shuffle(n, func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	for _, p := range pages {
		id, _ := urls.Intern([]byte(p.URL))
		urls.SetEvidence(id, p.Evidence)
		ids, evidence = append(ids, id), append(evidence, p.Evidence)
	}
	return urls, ids, evidence
}

func enterAll(x *Index, ids []uint32, evidence []urllist.Evidence) {
	for i, id := range ids {
		x.Enter(id, evidence[i])
	}
}

func report(b *testing.B, x *Index) {
	n := float64(x.count)
	b.ReportMetric(float64(x.cells.len())/n, "cells/URL")
	b.ReportMetric(float64(x.pairs.len())/n, "pairs/URL")
	b.ReportMetric(float64(len(x.now)), "likely")
	with := heap()
	runtime.KeepAlive(x)
	urls := x.urls
	*x = Index{}
	b.ReportMetric(float64(with-heap())/n, "B/URL")
	runtime.KeepAlive(urls)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkRecover looks through all URLs for the members of one crowded cell,
// and BenchmarkWithout builds the index anew; tooManyScans is their ratio.
func BenchmarkRecover(b *testing.B) {
	x, ids := full(100_000)
	x.u.read(&x.keys, ids[0], x.urls.Text(ids[0]))
	c := x.cells.find(x.key(0, 0))
	for b.Loop() {
		x.recover(c, 0, 0)
	}
}

// BenchmarkWithout is the other half of BenchmarkRecover.
func BenchmarkWithout(b *testing.B) {
	x, _ := full(100_000)
	for b.Loop() {
		x.without(nil)
	}
}

func full(n int) (*Index, []uint32) {
	urls, ids, evidence := site(n)
	x := New(Defaults(), urls)
	enterAll(x, ids, evidence)
	return x, ids
}
