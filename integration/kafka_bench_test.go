package integration

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

const (
	benchRecords = 200_000
	benchBatch   = 2_000
)

// kafkaLines are batches of access-log lines, of 150 bytes or so.
func kafkaLines() (batches [][]kafka.Record, size int64) {
	for n := 0; n < benchRecords; n += benchBatch {
		var b []kafka.Record
		for i := range benchBatch {
			line := fmt.Appendf(nil, `192.0.2.%d - - [21/Nov/2026:14:%02d:%02d +0000] "GET /archive/%d/page-%d.html?session=%x HTTP/1.1" 200 %d "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
				i%250, i%60, n%60, n, i*7919%5000, n*i, 1000+i*31%90000)
			b = append(b, kafka.Record{Value: line})
			size += int64(len(line))
		}
		batches = append(batches, b)
	}
	return batches, size
}

// BenchmarkKafka measures against a real broker on this machine, which takes its
// share of the cores.
func BenchmarkKafka(b *testing.B) {
	c := openKafka(b, kafka.Options{Brokers: kafkatest.Shared(b).Brokers})
	batches, size := kafkaLines()
	topic := topicOf(b, c, 4, nil)
	b.Run("produce", func(b *testing.B) {
		own := topicOf(b, c, 1, nil)
		b.SetBytes(size)
		for b.Loop() {
			for _, records := range batches {
				must(b, c.Produce(b.Context(), own, 0, records))
			}
		}
		b.ReportMetric(float64(benchRecords)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	for i, records := range batches {
		must(b, c.Produce(b.Context(), topic, i%4, records))
	}
	ranges, err := c.Offsets(b.Context(), topic)
	must(b, err)
	b.Run("fetch", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			r := kafka.NewReader(c, kafka.ReaderOptions{})
			var done sync.WaitGroup
			for n, g := range ranges {
				p := r.Add(topic, n, 0)
				done.Go(func() {
					for next := int64(0); next < g.End; {
						batch, err := p.Read(b.Context())
						if err != nil {
							b.Error(err)
							return
						}
						next = batch.Next
					}
				})
			}
			done.Wait()
			r.Close()
		}
		b.ReportMetric(float64(benchRecords)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	b.Run("one record there and back", func(b *testing.B) {
		own := topicOf(b, c, 1, nil)
		r := kafka.NewReader(c, kafka.ReaderOptions{})
		defer r.Close()
		p := r.Add(own, 0, 0)
		for next := int64(0); b.Loop(); {
			must(b, c.Produce(b.Context(), own, 0, batches[0][:1]))
			for had := next; next == had; {
				batch, err := p.Read(b.Context())
				must(b, err)
				next = batch.Next
			}
		}
	})
}

// Many partitions want one connection to a broker and no goroutines of their
// own, and idle ones little of anything.
func TestKafkaManyPartitions(t *testing.T) {
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 100, nil)
	before := runtime.NumGoroutine()
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	var parts []*kafka.Partition
	for n := range 100 {
		parts = append(parts, r.Add(topic, n, 0))
	}
	for n, p := range parts {
		must(t, c.Produce(t.Context(), topic, n, []kafka.Record{{Value: []byte("x")}}))
		readTo(t, p, 1)
	}
	if more := runtime.NumGoroutine() - before; more > 8 {
		t.Errorf("%d goroutines for 100 partitions", more)
	}
	start := time.Now()
	r.Close()
	t.Logf("closed in %v", time.Since(start).Round(time.Millisecond)) // with a network that answers; without one: TestKafkaCloseWithoutNetwork
}
