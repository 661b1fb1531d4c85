package miners

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/kafka"
)

// tape is a reader that returns the same records again and again.
type tape struct {
	records []kafka.Record
	at      int64
}

func (t *tape) Read(context.Context) (*kafka.Batch, error) {
	t.at += int64(len(t.records))
	return &kafka.Batch{Records: t.records, Next: t.at, End: t.at}, nil
}

// BenchmarkFold measures a miner's work on one core for an observation, from the fetched
// record to the table: for known URLs and for new URLs.
func BenchmarkFold(b *testing.B) {
	const urls = 20_000
	site := keysOf(1)[0]
	var list []evidence.Observation
	for i := range urls {
		list = append(list, evidence.Observation{URL: fmt.Appendf(nil, "/stories/2026/%02d/the-story-of-%d.html?page=%d", i%12, i/7, i%7), Time: 1e9, Min: int64(1000 + i), Max: int64(1000 + i)})
	}
	var records []kafka.Record
	for rest := list; len(rest) > 0; {
		value, n := evidence.Append(nil, head, rest)
		rest = rest[n:]
		records = append(records, kafka.Record{Key: []byte(site), Value: value, Time: time.Unix(1e9, 0)})
	}
	phase1 := envelope.Defaults()
	mining := miner.Options{Table: table.Options{Pane: 100, MaxURLs: 1e7}, Envelope: phase1,
		Params: params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity}}
	o := &sourceOptions{Partition: 1, Partitions: 3, Head: head, Limits: limits, Ahead: time.Hour, Heard: func(*kafka.Batch) {}, Lost: func(int64, int64, error) {},
		Refused: func(_ int64, _ int, err error) { b.Fatal(err) }}
	o.Limits.MaxBytes, o.Limits.MaxTokens = 2048, 1024
	for _, known := range []bool{true, false} {
		b.Run(map[bool]string{true: "known", false: "new"}[known], func(b *testing.B) {
			source := newSource(o, &tape{records: records}, newSites(0), 0, 0)
			sites := miner.NewSites(10, mining)
			fold := func(n int) (done int) {
				for done < n {
					batch, err := source.Read(b.Context())
					if err != nil && err != io.EOF {
						b.Fatal(err)
					}
					for i := range batch.Records {
						sites.Fold(batch.Records[i].Site, &batch.Records[i].Observation)
					}
					done += len(batch.Records)
					batch.Release()
				}
				return done
			}
			fold(urls)
			b.ReportAllocs()
			b.ResetTimer()
			done := 0
			for done < b.N {
				if !known {
					sites = miner.NewSites(10, mining)
				}
				done += fold(urls)
				if !known {
					for m := range sites.All() {
						m.PairEvents() // settles the indexes
					}
				}
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "observations/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(done), "ns/observation")
		})
	}
}
