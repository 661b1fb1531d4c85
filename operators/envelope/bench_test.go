package envelope

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/operators/evidence"
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
func site(n int) (*urllist.List, []uint32, []evidence.Spans) {
	urls := urllist.New()
	var ids []uint32
	var evidence []evidence.Spans
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

func enterAll(x *Index, ids []uint32, evidence []evidence.Spans) {
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

// BenchmarkDearest enters URLs of 400 tokens, the most that are admitted, in the
// shapes that cost the most: nearly all tokens in common with others, before and
// behind one that is new. cpu-µs/URL is the mean; most of it is that of the twelfth of
// a template, with which all its envelopes become crowded at once.
func BenchmarkDearest(b *testing.B) {
	for name, template := range map[string]func(i int) int{
		"one template":          func(int) int { return 1 },
		"templates of eleven":   func(i int) int { return i / 11 },
		"templates of thirteen": func(i int) int { return i / 13 },
	} {
		b.Run(name, func(b *testing.B) {
			const n = 143
			start := cpuTime()
			for b.Loop() {
				urls := urllist.New()
				x := New(Defaults(), urls)
				for i := range n {
					side := strings.Repeat(fmt.Sprintf("/%d", template(i)), 99)
					id, _ := urls.Intern([]byte(side + fmt.Sprintf("/x%d", i) + side))
					e := evidence.Spans{{Min: 1000, Max: 1000}}
					x.Enter(id, e)
					urls.SetEvidence(id, e)
				}
			}
			b.ReportMetric(float64((cpuTime()-start).Microseconds())/float64(b.N)/n, "cpu-µs/URL")
		})
	}
}

// cpuTime is what the process has used of its cores.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
