package integration

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"dustbuster/stream/kafka"
)

// A real cleaner at work: who follows the topic and who reads it afterwards
// come to the same keys and values as were written, tombstones included, and
// both come to the end.
func TestKafkaCompacted(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic := topicOf(t, c, 1, map[string]string{"cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.01",
		"delete.retention.ms": "60000", "max.compaction.lag.ms": "100"})
	reader := kafka.NewReader(c, kafka.ReaderOptions{Compacted: true, PartitionBytes: 2000})
	defer reader.Close()
	r := rand.New(rand.NewPCG(9, 9))
	want, written := map[string]string{}, int64(0)
	write := func(n int) {
		var records []kafka.Record
		for range n {
			k := fmt.Sprint("key ", r.IntN(200))
			if r.IntN(5) == 0 {
				records = append(records, kafka.Record{Key: []byte(k)})
				delete(want, k)
			} else {
				v := fmt.Sprint("value ", written)
				records = append(records, kafka.Record{Key: []byte(k), Value: []byte(v)})
				want[k] = v
			}
			written++
		}
		must(t, c.Produce(t.Context(), topic, 0, records))
	}
	follower := reader.Add(topic, 0, 0)
	following := make(chan map[string]string)
	go func() { following <- fold(t, follower, 10_000, new(int)) }()
	for written < 9_999 {
		write(min(1+r.IntN(40), int(9_999-written)))
		if r.IntN(30) == 0 {
			time.Sleep(150 * time.Millisecond) // a segment is rolled by time
		}
	}
	write(1)
	for start := time.Now(); ; time.Sleep(500 * time.Millisecond) {
		late := kafka.NewReader(c, kafka.ReaderOptions{Compacted: true})
		records := 0
		held := fold(t, late.Add(topic, 0, kafka.First), 10_000, &records)
		late.Close()
		if !maps.Equal(held, want) {
			t.Fatalf("read afterwards: %d keys, want %d", len(held), len(want))
		}
		if records < 2000 {
			t.Logf("10,000 records written, %d left", records)
			break
		}
		if time.Since(start) > patience {
			t.Fatalf("the cleaner has left %d of 10,000 records", records)
		}
	}
	if held := <-following; !maps.Equal(held, want) {
		t.Errorf("followed: %d keys, want %d", len(held), len(want))
	}
}

// fold reads a partition up to an end: what is left of each key. It counts the
// records.
func fold(t *testing.T, p *kafka.Partition, end int64, records *int) map[string]string {
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	held := map[string]string{}
	for {
		b, err := p.Read(ctx)
		if err != nil {
			t.Error(err)
			return nil
		}
		for _, r := range b.Records {
			if r.Value == nil {
				delete(held, string(r.Key))
			} else {
				held[string(r.Key)] = string(r.Value)
			}
		}
		*records += len(b.Records)
		if b.Next >= end {
			return held
		}
	}
}
