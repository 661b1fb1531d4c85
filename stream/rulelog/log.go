package rulelog

import (
	"context"

	"dustbuster/operators/publish/ledger"
	stream "dustbuster/stream/kafka"
)

// Log is the part of Kafka used here.
type Log interface {
	Offsets(ctx context.Context, topic string) ([]stream.Range, error)

	// Produce appends records in one batch. After an error the records may be in the log,
	// or may appear later, unless the error is ErrTooLarge.
	Produce(ctx context.Context, topic string, partition int, records []stream.Record) error

	Add(topic string, partition int, from int64) Partition
}

// Partition is read by a single goroutine.
type Partition interface {
	Read(ctx context.Context) (*stream.Batch, error)
	Close()
}

// Open returns a Log of a cluster and a reader. The caller closes both.
func Open(c *stream.Cluster, r *stream.Reader) Log { return cluster{c, r} }

type cluster struct {
	*stream.Cluster
	reader *stream.Reader
}

func (c cluster) Add(topic string, partition int, from int64) Partition {
	return c.reader.Add(topic, partition, from)
}

// Record reads a record of dust.rules.
func Record(r *stream.Record) (ledger.Record, error) {
	t, err := ledger.ReadTuple(r.Header)
	return ledger.Record{Key: string(r.Key), Value: r.Value, Tuple: t}, err
}

// written returns a record in its form in a topic.
func written(key, value []byte, t ledger.Tuple) stream.Record {
	r := stream.Record{Key: key, Value: value}
	t.Headers(func(name string, value []byte) {
		r.Headers = append(r.Headers, stream.Header{Key: name, Value: value})
	})
	return r
}
