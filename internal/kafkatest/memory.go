package kafkatest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"dustbuster/stream/kafka"
)

// Memory is topics in memory, for packages that read and write Kafka through an interface of
// their own. Tests change it under its lock.
type Memory struct {
	sync.Mutex
	Topics map[string][]Log // by partition
	Limit  int              // bytes of a batch; 0: none
	Away   error            // of all Offsets; nil: none
	Broken error            // of the next Read; nil: none

	// Fail returns the error of a Produce, and whether the batch is written nonetheless. May be nil.
	Fail func([]kafka.Record) (written bool, err error)

	changed chan struct{} // closed at each change
}

// Log is a partition.
type Log struct {
	Records []kafka.Record
	End     int64 // beyond the records if compaction has removed the last
	Batches []int // numbers of records
}

// NewMemory returns topics with some partitions each.
func NewMemory(partitions int, topics ...string) *Memory {
	m := &Memory{Topics: map[string][]Log{}, changed: make(chan struct{})}
	for _, topic := range topics {
		m.Topics[topic] = make([]Log, partitions)
	}
	return m
}

// Change changes the fields, and wakes readers.
func (m *Memory) Change(change func()) {
	m.Lock()
	defer m.Unlock()
	change()
	close(m.changed)
	m.changed = make(chan struct{})
}

// Offsets returns the ranges of a topic's partitions.
func (m *Memory) Offsets(_ context.Context, topic string) (all []kafka.Range, err error) {
	m.Lock()
	defer m.Unlock()
	for _, l := range m.Topics[topic] {
		all = append(all, kafka.Range{End: l.End})
	}
	return all, m.Away
}

// Produce appends records.
func (m *Memory) Produce(_ context.Context, topic string, partition int, records []kafka.Record) (err error) {
	m.Change(func() {
		size, written := 0, true
		for _, r := range records {
			size += len(r.Key) + len(r.Value)
		}
		if m.Limit > 0 && size > m.Limit {
			err = kafka.ErrTooLarge
			return
		}
		if m.Fail != nil {
			written, err = m.Fail(records)
		}
		if !written {
			return
		}
		l := &m.Topics[topic][partition]
		l.Batches = append(l.Batches, len(records))
		for _, r := range records {
			r.Offset, r.Time = l.End, time.Now()
			l.Records = append(l.Records, r)
			l.End++
		}
	})
	return err
}

// Add returns a reader of a partition from its start.
func (m *Memory) Add(topic string, partition int, from int64) *Cursor {
	if from > 0 {
		panic(fmt.Sprintf("read from offset %d", from))
	}
	return &Cursor{m: m, topic: topic, partition: partition}
}

// Cursor reads a partition, two records at a time.
type Cursor struct {
	m         *Memory
	topic     string
	partition int
	next      int64
}

// Close does nothing.
func (c *Cursor) Close() {}

// Read waits for the next batch.
func (c *Cursor) Read(ctx context.Context) (*kafka.Batch, error) {
	for {
		c.m.Lock()
		b, err, changed := c.batch(), c.m.Broken, c.m.changed
		c.m.Broken = nil
		c.m.Unlock()
		switch {
		case err != nil:
			return nil, err
		case b.Next > c.next:
			c.next = b.Next
			return b, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Cursor) batch() *kafka.Batch {
	l := &c.m.Topics[c.topic][c.partition]
	b := &kafka.Batch{Next: l.End, End: l.End}
	for _, r := range l.Records {
		if r.Offset < c.next {
			continue
		}
		if len(b.Records) == 2 {
			b.Next = r.Offset
			break
		}
		b.Records = append(b.Records, r)
	}
	return b
}
