package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"regexp"
	"strconv"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/compress"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/produce"
	"github.com/segmentio/kafka-go/protocol/rawproduce"
)

// ackAll requests the acknowledgement of all in-sync replicas.
const ackAll = -1

// Produce appends records to a partition, all or none. The records are one record batch,
// compressed, and acknowledged by all in-sync replicas. Temporary errors are retried, with
// pauses up to a second, until the context ends. So a batch whose acknowledgement was lost
// can stand twice in the log, and readers must allow for duplicates. ErrTooLarge,
// ErrNoTopic and ErrNotAuthorized are final. After a final error nothing was written.
func (c *Cluster) Produce(ctx context.Context, topic string, partition int, records []Record) error {
	if len(records) == 0 {
		return nil
	}
	batch, err := encode(records, time.Now())
	doing := fmt.Sprintf("write %d records (%d bytes compressed) to partition %d of topic %q", len(records), len(batch), partition, topic)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return c.retry(ctx, unknownFor, doing, func(ctx context.Context) error {
		err := c.produce(ctx, topic, partition, batch)
		if err != nil {
			c.forget(topic)
		}
		if err != nil && !permanent(err) && ctx.Err() == nil {
			c.options.OnError(fmt.Errorf("write to partition %d of topic %q: %w", partition, topic, err))
		}
		return err
	})
}

func (c *Cluster) produce(ctx context.Context, topic string, partition int, batch []byte) error {
	leader, err := c.leader(ctx, topic, partition)
	if err != nil {
		return err
	}
	res, err := call[*produce.Response](ctx, c, leader, &rawproduce.Request{
		Acks:    ackAll,
		Timeout: c.timeoutMs(),
		Topics: []rawproduce.RequestTopic{{
			Topic: topic,
			Partitions: []rawproduce.RequestPartition{{
				Partition: int32(partition),
				RecordSet: protocol.RawRecordSet{Reader: bytes.NewReader(batch)},
			}},
		}},
	})
	if err != nil {
		return err
	}
	if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 {
		return errNoResult
	}
	got := &res.Topics[0].Partitions[0]
	if kafkago.Error(got.ErrorCode) == kafkago.InvalidTimestamp {
		return c.clockError(ctx, topic, got, time.Now())
	}
	return explained(got.ErrorCode, got.ErrorMessage)
}

// fits returns an error if a reader would refuse the records. Readers hold a batch whole.
func fits(records []Record) error {
	cost := len(records) * (recordSize + 2*binary.MaxVarintLen64)
	for _, r := range records {
		cost += len(r.Key) + len(r.Value)
		for _, h := range r.Headers {
			cost += headerCost + binary.MaxVarintLen64 + len(h.Key) + len(h.Value)
		}
	}
	if cost > maxBatch {
		return fmt.Errorf("%w: they take %d MB in memory, of at most %d: write less at once", ErrTooLarge, cost>>20, maxBatch>>20)
	}
	return nil
}

// sizeBytes is the length of the size before a record batch.
const sizeBytes = 4

// encode returns a record batch of format 2, after its size. The records are compressed by an encoder of ours, since
// the codecs of kafka-go belong to the whole process.
func encode(records []Record, now time.Time) ([]byte, error) {
	if err := fits(records); err != nil {
		return nil, err
	}
	first, greatest := int64(math.MaxInt64), int64(0)
	times := make([]int64, len(records))
	for i, r := range records {
		if r.Time.IsZero() {
			r.Time = now
		}
		times[i] = r.Time.UnixMilli()
		first, greatest = min(first, times[i]), max(greatest, times[i])
	}
	var body, one []byte
	for i := range records {
		one = appendRecord(one[:0], &records[i], times[i]-first, int64(i))
		body = append(binary.AppendVarint(body, int64(len(one))), one...)
	}
	sized := zstdEncoder().EncodeAll(body, make([]byte, sizeBytes+headerSize))
	batch := sized[sizeBytes:]
	binary.BigEndian.PutUint32(sized, uint32(len(batch)))
	binary.BigEndian.PutUint32(batch[atLength:], uint32(len(batch)-atLength-4))
	binary.BigEndian.PutUint32(batch[atEpoch:], math.MaxUint32) // -1: none, as below
	batch[atFormat], batch[atAttributes+1] = 2, byte(compress.Zstd)
	binary.BigEndian.PutUint32(batch[atDelta:], uint32(len(records)-1))
	binary.BigEndian.PutUint64(batch[atFirstTime:], uint64(first))
	binary.BigEndian.PutUint64(batch[atGreatestTime:], uint64(greatest))
	for i := atProducer; i < atCount; i++ {
		batch[i] = math.MaxUint8
	}
	binary.BigEndian.PutUint32(batch[atCount:], uint32(len(records)))
	binary.BigEndian.PutUint32(batch[atChecksum:], crc32.Checksum(batch[atAttributes:], castagnoli))
	return sized, nil
}

// appendRecord appends a record without its length: the attributes, the times and places from those of the batch,
// the key, the value, and the headers.
func appendRecord(b []byte, r *Record, time, offset int64) []byte {
	b = binary.AppendVarint(binary.AppendVarint(append(b, 0), time), offset)
	b = appendBytes(appendBytes(b, r.Key), r.Value)
	b = binary.AppendVarint(b, int64(len(r.Headers)))
	for _, h := range r.Headers {
		b = appendBytes(append(binary.AppendVarint(b, int64(len(h.Key))), h.Key...), h.Value)
	}
	return b
}

// appendBytes appends bytes that may be nil, after their length.
func appendBytes(b, text []byte) []byte {
	if text == nil {
		return binary.AppendVarint(b, -1)
	}
	return append(binary.AppendVarint(b, int64(len(text))), text...)
}

// PartitionOf returns the partition of a key among n partitions, as Java's default
// partitioner does. So the records of a key lie in one partition, whichever producer writes
// them.
func PartitionOf(key []byte, n int) int {
	return kafkago.Murmur2Balancer{Consistent: true}.Balance(kafkago.Message{Key: key}, numbers(n)...)
}

// numbers returns the numbers of n partitions.
func numbers(n int) []int {
	all := make([]int, n)
	for p := range all {
		all[p] = p
	}
	return all
}

// ClockError is the refusal of records whose time is too far from the broker's: one of the two
// clocks is wrong. A topic whose message.timestamp.type is LogAppendTime refuses no record so.
type ClockError struct {
	Topic string
	Ahead time.Duration // of this machine's clock before the broker's, to about a second; below 0: it is behind; 0: not known
	Err   error         // the broker's
}

// Error returns the difference and the remedy.
func (e *ClockError) Error() string {
	differs := "differs from"
	switch {
	case e.Ahead > 0:
		differs = fmt.Sprintf("is %v ahead of", e.Ahead)
	case e.Ahead < 0:
		differs = fmt.Sprintf("is %v behind", -e.Ahead)
	}
	return fmt.Sprintf("the broker refuses the time of the records: this machine's clock %s the broker's: set the wrong clock right, and give topic %q the setting message.timestamp.type=LogAppendTime: %v", differs, e.Topic, e.Err)
}

// Unwrap returns the broker's error.
func (e *ClockError) Unwrap() error { return e.Err }

// limits are the times that a broker names in its refusal, in milliseconds since 1970.
var limits = regexp.MustCompile(`within \[-?[0-9]+, (-?[0-9]+)\]`)

// latest is how far the times of records may be ahead of a broker that does not say how far.
const latest = time.Hour // Kafka's default of message.timestamp.after.max.ms

// clockError makes the error of a refused batch. now is the time of this machine's clock. The broker
// names the latest time that it takes: its own time, and what the topic's setting adds.
func (c *Cluster) clockError(ctx context.Context, topic string, p *produce.ResponsePartition, now time.Time) error {
	e := &ClockError{Topic: topic, Err: kafkago.InvalidTimestamp}
	for _, r := range p.RecordErrors {
		m := limits.FindStringSubmatch(r.BatchIndexErrorMessage)
		if m == nil {
			continue
		}
		after := latest
		config, _ := c.config(ctx, anyBroker, kafkago.ResourceTypeTopic, topic) // without it, the default is the best guess
		if ms, err := strconv.ParseInt(config["message.timestamp.after.max.ms"], 10, 64); err == nil {
			after = time.Duration(min(ms, int64(longest/time.Millisecond))) * time.Millisecond
		}
		if ms, err := strconv.ParseInt(m[1], 10, 64); err == nil && after < longest {
			e.Ahead = now.Round(0).Sub(time.UnixMilli(ms).Add(-after)).Round(time.Second)
		}
		break
	}
	return e
}

// longest is more than any setting that refuses times ahead.
const longest = 100 * 365 * 24 * time.Hour
