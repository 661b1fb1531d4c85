package envelope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/window/urllist"
)

// BenchmarkEnter builds the index of a generated site (oracle.Site), and reports the cost
// of a URL in time and in retained memory, without the texts.
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

// site returns a generated site of n URLs, in random order. The evidence is in the list
// already, as when an index is rebuilt.
func site(n int) (*urllist.List, []uint32) {
	urls := urllist.New()
	var ids []uint32
	pages := oracle.Site(1, n)
	rng := rand.New(rand.NewPCG(1, 1)) // the order of a log, not of a generator
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
	with := worlds.Heap()
	runtime.KeepAlive(x)
	urls := x.urls
	*x = Index{}
	b.ReportMetric(float64(with-worlds.Heap())/n, "B/URL")
	runtime.KeepAlive(urls)
}

// BenchmarkRecover searches all URLs for the members of one crowded cell. BenchmarkWithout
// rebuilds the index. tooManyScans is the ratio of the two costs.
func BenchmarkRecover(b *testing.B) {
	x, ids := full(100_000)
	x.u.read(&x.keys, ids[0], x.urls.Text(ids[0]))
	c := x.cells.find(x.key(at{}))
	for b.Loop() {
		x.recover(c, at{})
	}
}

// BenchmarkWithout is the counterpart of BenchmarkRecover.
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

// BenchmarkDearest enters URLs of 400 tokens, the greatest admitted number, in the
// costliest shapes: nearly all tokens are common to other URLs. cpu-µs/URL is the mean over
// an index that grows from empty, including the garbage collector's time. µs-most is the
// time of the slowest URL in the fastest of all rounds.
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
			start := cpuTime(b)
			for b.Loop() {
				urls := urllist.New()
				x := New(Defaults(), urls)
				for i := range n {
					id, _ := urls.Intern([]byte(shape.text(i)))
					e := worlds.Size(1000)
					from := time.Now()
					urls.SetEvidence(id, e)
					x.Enter(id)
					most.see(i, time.Since(from))
				}
			}
			b.ReportMetric(float64((cpuTime(b)-start).Microseconds())/float64(b.N)/n, "cpu-µs/URL")
			b.ReportMetric(float64(slices.Max(most).Microseconds()), "µs-most")
		})
	}
}

// dearText returns a URL of 400 tokens: a template's word 198 times, and another word at one
// place.
func dearText(template, i, place int) string {
	segments := slices.Repeat([]string{fmt.Sprint(template)}, 199)
	segments[place] = fmt.Sprint("x", i)
	return "/" + strings.Join(segments, "/")
}

// fiveTexts returns URLs that differ in five places. Each place has eleven possible texts.
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

// cpuTime returns the processor time used by the process.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	user, system := expect.CPUTime(b)
	return user + system
}
