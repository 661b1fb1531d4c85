package envelope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
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
			urls, ids := site(n)
			var x *Index
			for b.Loop() {
				x = New(Defaults(), urls)
				enterAll(x, ids)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/URL")
			report(b, x)
		})
	}
}

// site is a generated site of n URLs, in random order. The evidence is in the
// list already, as it is when an index is built anew.
func site(n int) (*urllist.List, []uint32) {
	urls := urllist.New()
	var ids []uint32
	pages := oracle.Site(1, n)
	rng := rand.New(rand.NewPCG(1, 1)) // a log's order, not a generator's
	rng.Shuffle(n, func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	for _, p := range pages {
		id, _ := urls.Intern([]byte(p.URL))
		urls.SetEvidence(id, p.Evidence)
		ids = append(ids, id)
	}
	return urls, ids
}

func enterAll(x *Index, ids []uint32) {
	for _, id := range ids {
		x.Enter(id)
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
	c := x.cells.find(x.key(at{}))
	for b.Loop() {
		x.recover(c, at{})
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
	urls, ids := site(n)
	x := New(Defaults(), urls)
	enterAll(x, ids)
	return x, ids
}

// BenchmarkDearest enters URLs of 400 tokens, the most that are admitted, in the
// shapes that cost the most: nearly all tokens in common with others. cpu-µs/URL is the
// mean over an index that grows from empty, the garbage collector's time included.
// µs-most is the URL that takes longest, in the quietest of all rounds.
func BenchmarkDearest(b *testing.B) {
	for _, shape := range []struct {
		name string
		text func(i int) string
	}{
		{"one template", func(i int) string { return dearText(0, i, 99) }},
		{"templates of eleven", func(i int) string { return dearText(i/11, i, 99) }},
		{"templates of thirteen", func(i int) string { return dearText(i/13, i, 99) }},
		{"anywhere", func(i int) string { return dearText(0, i, i*79%198) }},
		{"in five places", fiveTexts},
	} {
		b.Run(shape.name, func(b *testing.B) {
			const n = 143
			most := newSlowest(n)
			start := cpuTime()
			for b.Loop() {
				urls := urllist.New()
				x := New(Defaults(), urls)
				for i := range n {
					id, _ := urls.Intern([]byte(shape.text(i)))
					e := evidence.Spans{{Min: 1000, Max: 1000}}
					from := time.Now()
					urls.SetEvidence(id, e)
					x.Enter(id)
					most.see(i, time.Since(from))
				}
			}
			b.ReportMetric(float64((cpuTime()-start).Microseconds())/float64(b.N)/n, "cpu-µs/URL")
			b.ReportMetric(float64(slices.Max(most).Microseconds()), "µs-most")
		})
	}
}

// dearText is a URL of 400 tokens: a template's 198 times, but for one place.
func dearText(template, i, place int) string {
	segments := slices.Repeat([]string{fmt.Sprint(template)}, 199)
	segments[place] = fmt.Sprint("x", i)
	return "/" + strings.Join(segments, "/")
}

// fiveTexts are URLs that differ in five places, in each of which stand eleven texts.
func fiveTexts(i int) string {
	segments := slices.Repeat([]string{"a"}, 199)
	for k, rest := 0, i*7919; k < 5; k, rest = k+1, rest/11 {
		segments[20+39*k] = fmt.Sprint("x", rest%11)
	}
	return "/" + strings.Join(segments, "/")
}

// slowest holds for each URL the shortest time of all rounds.
type slowest []time.Duration

func newSlowest(n int) slowest { return slices.Repeat(slowest{math.MaxInt64}, n) }

func (s slowest) see(i int, took time.Duration) { s[i] = min(s[i], took) }

// cpuTime is what the process has used of its cores.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
