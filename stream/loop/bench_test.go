package loop

import (
	"context"
	"fmt"
	"testing"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/records"
)

// benchURLs is the number of URLs in a benchmark's table.
const benchURLs = 50_000

// benchBatches returns batches of 1,000 observations: one for each URL, of the given size.
func benchBatches(size int64) (all []*records.Batch) {
	for i := 0; i < benchURLs; i += 1000 {
		b := new(records.Batch)
		b.File, b.End = 1, int64(i+1000)
		for k := i; k < i+1000; k++ {
			b.Records = append(b.Records, records.Record{Site: fmt.Sprintf("www%d.example.org", i/1000%4), Observation: evidence.Observation{
				URL: fmt.Appendf(nil, "/stories/2026/%02d/the-story-of-%d.html?page=%d", k%12, k/7, k%7), Min: size + int64(k), Max: size + int64(k)}})
		}
		all = append(all, b)
	}
	return all
}

func benchLoop(b *testing.B, dir string) (*Loop, checkpoint.Journal) {
	store := open(b, dir)
	o, out := testOptions(), &recorder{held: map[string]bool{}}
	o.NoWithhold, o.Miner.Table.MaxURLs = true, 10*benchURLs
	l := New(o, store, out, out)
	_, err := l.Restore()
	must(b, err)
	return l, store
}

// benchFold folds copies of batches, since a batch is released after the fold.
func benchFold(ctx context.Context, l *Loop, batches []*records.Batch) {
	for _, batch := range batches {
		b := new(records.Batch)
		b.File, b.End = batch.File, batch.End
		b.Records = append(b.Records, batch.Records...)
		l.fold(b)
		l.emitPairs(ctx)
	}
}

// BenchmarkKnown measures the loop's work for an observation of a known URL.
func BenchmarkKnown(b *testing.B) {
	l, store := benchLoop(b, b.TempDir())
	defer store.Close()
	batches, source := benchBatches(1000), &script{}
	benchFold(b.Context(), l, batches)
	l.catchUp(b.Context(), source)
	b.ReportAllocs()
	for b.Loop() {
		benchFold(b.Context(), l, batches)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}

// BenchmarkSave measures a checkpoint of an observation.
func BenchmarkSave(b *testing.B) {
	l, store := benchLoop(b, b.TempDir())
	defer store.Close()
	b.ReportAllocs()
	for size := int64(1000); b.Loop(); size += benchURLs {
		b.StopTimer()
		benchFold(b.Context(), l, benchBatches(size))
		b.StartTimer()
		must(b, l.save(b.Context(), &script{}))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}

// BenchmarkRestore measures the restoring of an observation.
func BenchmarkRestore(b *testing.B) {
	dir := b.TempDir()
	l, store := benchLoop(b, dir)
	benchFold(b.Context(), l, benchBatches(1000))
	must(b, l.save(b.Context(), &script{}))
	must(b, store.Close())
	b.ReportAllocs()
	for b.Loop() {
		_, store := benchLoop(b, dir)
		b.StopTimer()
		must(b, store.Close())
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}
