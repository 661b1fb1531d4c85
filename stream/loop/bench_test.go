package loop_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/job"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
)

// feed is a source of the batches of a channel, which has caught up after the given number of them.
type feed struct {
	batches chan *records.Batch
	caught  int64
}

func (f *feed) Read(ctx context.Context) (*records.Batch, error) {
	select {
	case b, ok := <-f.batches:
		if !ok {
			return nil, io.EOF
		}
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *feed) CaughtUp(folded int64) bool { return folded >= f.caught }

func (f *feed) Positions(end map[uint64]int64) ([]byte, error) {
	return fmt.Appendf(nil, "%v", end), nil
}

// told takes lists, and passes on the first side of each pair that becomes likely.
type told chan string

func (told) Publish(context.Context, jsonl.List) error { return nil }

func (t told) Emit(_ context.Context, events []event.Event) error {
	for i := range events {
		if e := &events[i]; e.Kind == event.Likely && strings.Contains(e.Rule.Rule.Sides().From, "latency") {
			t <- e.Rule.Rule.Sides().From
		}
	}
	return nil
}

// site returns the URLs of a generated site in random order, requested by random clients, in batches
// of as many lines as a file gives.
func site(n int) (all []*records.Batch) {
	pages, rng := oracle.Site(1, n), rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(n, func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	for some := range slices.Chunk(pages, 1500) {
		b := &records.Batch{File: 1, End: int64(len(all) + 1), Bytes: 1}
		for _, p := range some {
			b.Add("www.example.org", &evidence.Observation{URL: []byte(p.URL), Min: p.Evidence[0].Min, Max: p.Evidence[0].Max, Clients: 1 << rng.IntN(16), Time: int64(len(all)) * 1500 * 50_000 / int64(n)})
		}
		all = append(all, b)
	}
	return all
}

// newRule returns the lines that make a rule likely.
func newRule(n int) *records.Batch {
	b := &records.Batch{File: 1, End: int64(1<<32 + n), Bytes: 1}
	for id := range 3 {
		for k, form := range []string{"/latency%dq/x?id=%dq%d", "/latency%dq/x_%dq%d"} {
			b.Add("www.example.org", &evidence.Observation{URL: fmt.Appendf(nil, form, n, id, n), Min: int64(1000 + 100*id), Max: int64(1000 + 100*id), Clients: 1 << ((id + k) % 16), Time: 80_000})
		}
	}
	return b
}

var latencyURLs = flag.Int("latencyurls", 1_000_000, "URLs of the larger window of BenchmarkLatency")

// BenchmarkLatency measures how long it takes from the lines that make a rule likely to its event,
// while a window is refined, looked at and saved all the time. ns/op has the pauses between the lines.
func BenchmarkLatency(b *testing.B) {
	for _, n := range []int{100_000, *latencyURLs} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkLatency(b, n) })
	}
}

func benchmarkLatency(b *testing.B, n int) {
	o := testOptions()
	o.Miner.Table.Pane, o.Miner.Table.Window, o.Miner.Table.MaxURLs = 7200, 86400, 10*n
	o.Miner.Window, o.Jobs = miner.DefaultLearners()[2:], job.NewQueue()
	o.Pace = loop.Pace{Refine: time.Second, Learn: 10 * time.Second, Checkpoint: time.Second, FlushTimeout: time.Minute}
	dir, before := b.TempDir(), worlds.Heap()
	store, out := open(b, dir), make(told, 100)
	l := start(b, o, store, out)
	batches := site(n)
	source, ended := &feed{make(chan *records.Batch), int64(len(batches))}, make(chan error)
	go func() { ended <- l.Run(b.Context(), source) }()
	began := time.Now()
	for _, batch := range batches {
		source.batches <- batch
	}
	read := time.Since(began)
	for batches = nil; !l.State().Status.CaughtUp; {
		time.Sleep(time.Millisecond)
	}
	live := time.Since(began)
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		time.Sleep(time.Duration(20+len(took)%100) * time.Millisecond)
		b.StartTimer()
		sent := time.Now()
		source.batches <- newRule(len(took))
		for want := fmt.Sprintf("/latency%dq/", len(took)); !strings.HasPrefix(<-out, want); {
		}
		took = append(took, time.Since(sent))
	}
	close(source.batches)
	must(b, <-ended)
	b.ReportMetric(read.Seconds(), "read-s")
	b.ReportMetric(live.Seconds(), "live-s")
	slices.Sort(took)
	for _, c := range []struct {
		name string
		want time.Duration
	}{{"p50-ms", took[len(took)/2]}, {"p99-ms", took[len(took)*99/100]}, {"most-ms", took[len(took)-1]}} {
		b.ReportMetric(float64(c.want.Microseconds())/1000, c.name)
	}
	b.ReportMetric(float64(worlds.Heap()-before)/float64(n), "B/URL")
	for _, m := range machines(l) {
		m.RestIfQuiet()
		m.RestIfQuiet()
	}
	b.ReportMetric(float64(worlds.Heap()-before)/float64(n), "rest-B/URL")
	runtime.KeepAlive(l)
	must(b, store.Close())
	began = time.Now()
	start(b, o, open(b, dir), out)
	b.ReportMetric(time.Since(began).Seconds(), "restore-s")
}
