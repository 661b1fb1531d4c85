package params

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// loneURL returns URLs of three parameters. No two URLs share a rest, which takes the
// most memory.
func loneURL(_ *rand.Rand, i, _ int) (url string, bytes int64) {
	return fmt.Sprintf("/shop/item.php?id=%d&from=%d&sid=%08x", i, i%977, i*7919), 5000
}

type benchSite struct {
	urls *urllist.List
	ids  []uint32
	e    []evidence.Spans
}

func newBenchSite(n int, application worlds.Application) *benchSite {
	r := rand.New(rand.NewPCG(1, 1))
	s := &benchSite{urls: urllist.New()}
	for i := 0; len(s.ids) < n; i++ {
		url, bytes := application(r, i, n/4+1)
		if id, added := s.urls.Intern([]byte(url)); added {
			e := worlds.Size(bytes)
			s.urls.SetEvidence(id, e)
			s.ids, s.e = append(s.ids, id), append(s.e, e)
		}
	}
	return s
}

func (s *benchSite) fill() *Index {
	x := New(Options{Similarity: evidence.Similarity{Tolerance: 0.01}}, s.urls)
	for _, id := range s.ids {
		x.Enter(id)
	}
	return x
}

// BenchmarkEnter enters whole sites. ns/url is the time of one URL, and ns/settled-url
// includes the settlement at the end.
func BenchmarkEnter(b *testing.B) {
	for _, n := range []int{1e4, 1e5, 1e6} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkEnter(b, newBenchSite(n, worlds.WikiAndGit)) })
	}
	b.Run("1000000-alone", func(b *testing.B) { benchmarkEnter(b, newBenchSite(1e6, loneURL)) })
}

func benchmarkEnter(b *testing.B, s *benchSite) {
	n := len(s.ids)
	b.ReportAllocs()
	var entered float64
	for b.Loop() {
		before := b.Elapsed()
		x := s.fill()
		entered += float64((b.Elapsed() - before).Nanoseconds())
		x.Likely()
	}
	b.ReportMetric(entered/float64(b.N*n), "ns/url")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/settled-url")
	b.StopTimer()
	before := worlds.Heap()
	x := s.fill()
	x.Likely()
	b.ReportMetric(float64(worlds.Heap()-before)/float64(n), "B/url")
	runtime.KeepAlive(s) // the evidence of s does not belong to the index
	st := x.Stats()
	b.ReportMetric(float64(st.Groups)/float64(n), "groups/url")
	b.ReportMetric(float64(st.Comparable)/float64(n), "comparable/url")
}

// BenchmarkChange and BenchmarkLeaveEnter perform one operation on a site of 10^5 URLs.
// They read the list after each 1,000 operations.
func BenchmarkChange(b *testing.B) {
	s := newBenchSite(1e5, worlds.WikiAndGit)
	x := s.fill()
	x.Likely()
	i := 0
	for b.Loop() {
		x.Change(s.ids[i%len(s.ids)], s.e[i%len(s.ids)])
		if i++; i%1000 == 0 {
			x.Likely()
		}
	}
}

func BenchmarkLeaveEnter(b *testing.B) {
	s := newBenchSite(1e5, worlds.WikiAndGit)
	x := s.fill()
	x.Likely()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		x.Leave(s.ids[i%len(s.ids)])
		x.Enter(s.ids[i%len(s.ids)])
		if i++; i%1000 == 0 {
			x.Likely()
		}
	}
}

// BenchmarkLikelyCrowd reads the list after one change in a group of 10^5, which is
// folded whole.
func BenchmarkLikelyCrowd(b *testing.B) {
	s := newBenchSite(1e5, func(_ *rand.Rand, i, _ int) (string, int64) { return fmt.Sprintf("/?sid=%d", i), 5000 })
	x := s.fill()
	x.Likely()
	for b.Loop() {
		x.Change(s.ids[0], s.e[0])
		x.Likely()
	}
}

// BenchmarkRecount recounts the values of one parameter over 10^6 URLs.
func BenchmarkRecount(b *testing.B) {
	x := newBenchSite(1e6, worlds.WikiAndGit).fill()
	x.Likely()
	for b.Loop() {
		*x.values["action"] = values{demand: x.values["action"].demand, counted: true}
		x.moved = true
		x.Likely()
	}
}
