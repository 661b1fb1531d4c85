package envelope

import (
	"runtime"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/urllist"
)

// naive is the rejected structure: every envelope of every URL is held, with up to T
// members. For URLs that enter, naive obeys the same law as the index, and is measured next
// to the index.
type naive struct {
	o       Options
	urls    *urllist.List
	keys    keys
	u       subject
	buckets map[uint64]bucket
	pairs   map[uint64]supports
}

type bucket struct {
	count int
	ids   []uint32 // up to T
}

func newNaive(o Options, urls *urllist.List) *naive {
	return &naive{o: o, urls: urls, keys: keys{1, 2, 3, 4, 5, 6}, buckets: map[uint64]bucket{}, pairs: map[uint64]supports{}}
}

func (x *naive) enter(id uint32) {
	u := &x.u
	u.read(&x.keys, id, x.urls.Text(id))
	for i := 0; i <= u.n; i++ {
		for j := max(0, u.n-x.o.MaxTokens-i); i+j <= u.n; j++ {
			key := x.keys.cellOf(u.prefix[i], u.suffix[j], false)
			b := x.buckets[key]
			x.tally(b, i, j)
			if b.count++; b.count <= max(x.o.BucketLow, x.o.BucketHigh) {
				b.ids = append(b.ids, id)
			} else {
				b.ids = nil
			}
			x.buckets[key] = b
		}
	}
}

func (x *naive) tally(b bucket, i, j int) {
	low, high := within(b.count, x.o.BucketLow), within(b.count, x.o.BucketHigh)
	if low || high {
		for _, v := range b.ids {
			x.add(x.u.id, v, i, j, 1, low, high)
		}
	}
	if low, high = overflows(b.count, x.o.BucketLow), overflows(b.count, x.o.BucketHigh); low || high {
		for k, v := range b.ids {
			for _, w := range b.ids[k+1:] {
				x.add(v, w, i, j, -1, low, high)
			}
		}
	}
}

func (x *naive) add(v, w uint32, i, j, gain int, low, high bool) {
	if !x.o.Similarity.Similar(x.urls.Evidence(v), x.urls.Evidence(w)) {
		return
	}
	side := func(id uint32) uint64 {
		text := x.urls.Text(id)
		return x.keys.side(text[x.u.before(i):len(text)-x.u.after(j)], i == 0, j == 0)
	}
	key := x.keys.pairOf(side(v), side(w))
	s := x.pairs[key]
	if low {
		s.low += uint32(gain)
	}
	if high {
		s.high += uint32(gain)
	}
	if s == (supports{}) {
		delete(x.pairs, key)
		return
	}
	x.pairs[key] = s
}

// The two structures have the same counts.
func TestNaive(t *testing.T) {
	urls, ids := site(3000)
	n, x := newNaive(Defaults(), urls), New(Defaults(), urls)
	n.keys = x.keys // so that a pair has the same key in both structures
	for _, id := range ids {
		n.enter(id)
		x.Enter(id)
	}
	if len(n.pairs) == 0 || len(n.pairs) != x.pairs.len() {
		t.Errorf("%d pairs, %d in the index", len(n.pairs), x.pairs.len())
	}
	for key, want := range n.pairs {
		if got := x.supportsOf(key); got != want {
			t.Fatalf("a pair of supports %+v has %+v in the index", want, got)
		}
	}
}

// BenchmarkNaive is BenchmarkEnter for the rejected structure.
func BenchmarkNaive(b *testing.B) {
	const n = 100_000
	urls, ids := site(n)
	var x *naive
	for b.Loop() {
		x = newNaive(Defaults(), urls)
		for _, id := range ids {
			x.enter(id)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/n, "µs/URL")
	b.ReportMetric(float64(len(x.buckets))/n, "cells/URL")
	with := worlds.Heap()
	*x = naive{}
	b.ReportMetric(float64(with-worlds.Heap())/n, "B/URL")
	runtime.KeepAlive(urls)
}
