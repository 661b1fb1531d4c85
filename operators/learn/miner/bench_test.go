package miner

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
)

// BenchmarkNewURL gives a machine the URLs of a generated site (oracle.Site, 18 tokens on
// average) for the first time, in random order. The cost includes the table, both indexes,
// all envelopes, pairs and groups. user-µs/URL is user time, including the garbage
// collector. B/URL is all retained memory: texts, table, indexes.
func BenchmarkNewURL(b *testing.B) {
	for _, c := range []struct {
		n    int
		thai bool
	}{{10_000, false}, {100_000, false}, {1_000_000, false}, {100_000, true}} {
		n, name := c.n, fmt.Sprint(c.n)
		if c.thai {
			name += "-thai"
		}
		b.Run(name, func(b *testing.B) {
			hits := siteHits(n)
			if c.thai {
				inThai(hits)
			}
			before := worlds.Heap()
			var m *Machine
			start := userTime(b)
			for b.Loop() {
				m = New("", options(0, 10_000_000))
				for i := range hits {
					m.Fold(&hits[i])
				}
				m.settle()
			}
			b.ReportMetric(float64((userTime(b)-start).Nanoseconds())/1000/float64(b.N)/float64(n), "user-µs/URL")
			b.ReportMetric(float64(worlds.Heap()-before)/float64(n), "B/URL")
			runtime.KeepAlive(hits)
			b.ReportMetric(float64(len(m.Rules())), "rules")
		})
	}
}

// siteHits is one observation of each URL of a generated site.
func siteHits(n int) []evidence.Observation {
	var hits []evidence.Observation
	for _, p := range oracle.Site(1, n) {
		o := evidence.Observation{URL: []byte(p.URL)}
		if s := p.Evidence.Sizes(); len(s) > 0 {
			o.Class, o.Min, o.Max = s[0].Class, s[0].Min, s[0].Max
		}
		hits = append(hits, o)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(n, func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
	return hits
}

// inThai writes the words of URLs, but for words with digits, in Thai letters, each of nine
// bytes as an escape. The tokens stay the same.
func inThai(hits []evidence.Observation) {
	for i := range hits {
		url, thai := string(hits[i].URL), []byte(nil)
		for from := 0; from < len(url); {
			to := dust.TokenEnd(url, from)
			if word := url[from:to]; dust.IsWord([]byte(word)) && !strings.ContainsAny(word, "0123456789") {
				for _, letter := range []byte(word) {
					thai = fmt.Appendf(thai, "%%E0%%B8%%%02X", 0x81+letter&31)
				}
			} else {
				thai = append(thai, word...)
			}
			from = to
		}
		hits[i].URL = thai
	}
}

// userTime returns the processor time used by the process. Processor time varies less with
// the load of the machine than elapsed time.
func userTime(b *testing.B) time.Duration {
	b.Helper()
	user, _ := expect.CPUTime(b)
	return user
}

// BenchmarkPaneLeaves measures the longest stops of a loop when half of a million URLs leave the window:
// the observation with which the pane leaves, and a slice of the learners.
func BenchmarkPaneLeaves(b *testing.B) {
	hits := siteHits(1_000_000)
	var fold, slice, all time.Duration
	for b.Loop() {
		b.StopTimer()
		o := options(100, 10_000_000)
		o.Slices = true
		m := New("", o)
		for i := range hits {
			hits[i].Time = int64(i % 2 * 50)
			m.Fold(&hits[i])
		}
		m.settle()
		b.StartTimer()
		last := hits[0]
		last.Time = 109
		start := userTime(b)
		m.Fold(&last)
		fold = max(fold, userTime(b)-start)
		for done := false; !done; {
			began := userTime(b)
			done = m.Settle(1 << 12)
			slice = max(slice, userTime(b)-began)
		}
		all = max(all, userTime(b)-start)
	}
	for _, c := range []struct {
		name string
		want time.Duration
	}{{"fold-ms", fold}, {"slice-ms", slice}, {"all-ms", all}} {
		b.ReportMetric(float64(c.want.Microseconds())/1000, c.name)
	}
}

// BenchmarkLeave removes one URL after another from a machine's index and adds each URL
// again.
func BenchmarkLeave(b *testing.B) {
	hits := siteHits(100_000)
	o := options(0, 10_000_000)
	m := New("", o)
	for i := range hits {
		m.Fold(&hits[i])
	}
	m.settle()
	i := 0
	for b.Loop() {
		id, _ := m.urls.Lookup(hits[i%len(hits)].URL)
		m.index.Leave(id)
		m.index.Enter(id)
		i++
	}
}
