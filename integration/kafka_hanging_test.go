package integration

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"dustbuster/internal/kafkatest"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// transaction is an open transaction with a record in partition 0 of some topics.
type transaction struct {
	client *kafkago.Client
	id     string
	p      *kafkago.ProducerSession
}

// open begins a transaction, which the brokers end after ten minutes.
func open(t *testing.T, c *kafkatest.Cluster, topics ...string) *transaction {
	t.Helper()
	client := &kafkago.Client{Addr: kafkago.TCP(c.Brokers...)}
	x := &transaction{client: client, id: topics[0]}
	eventually(t, func() bool { // the coordinator makes its topic
		res, err := client.InitProducerID(t.Context(), &kafkago.InitProducerIDRequest{TransactionalID: x.id, TransactionTimeoutMs: 600_000})
		if err == nil && res.Error == nil {
			x.p = res.Producer
		}
		return x.p != nil
	})
	add := map[string][]kafkago.AddPartitionToTxn{}
	for _, topic := range topics {
		add[topic] = []kafkago.AddPartitionToTxn{{Partition: 0}}
	}
	added, err := client.AddPartitionsToTxn(t.Context(), &kafkago.AddPartitionsToTxnRequest{TransactionalID: x.id, ProducerID: x.p.ProducerID, ProducerEpoch: x.p.ProducerEpoch, Topics: add})
	must(t, err)
	for _, topic := range topics {
		must(t, added.Topics[topic][0].Error)
		eventually(t, func() bool { // the client knows a topic that is new after some seconds
			res, err := client.RawProduce(t.Context(), &kafkago.RawProduceRequest{Topic: topic, RequiredAcks: kafkago.RequireAll, TransactionalID: x.id,
				RawRecords: protocol.RawRecordSet{Reader: bytes.NewReader(x.batch(t))}})
			return err == nil && res.Error == nil
		})
	}
	return x
}

// batch is a batch of one record of the transaction, after its size. kafka-go writes no such batches.
func (x *transaction) batch(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	set := protocol.RecordSet{Version: 2, Attributes: protocol.Transactional, Records: protocol.NewRecordReader(protocol.Record{Value: protocol.NewBytes([]byte("x"))})}
	_, err := set.WriteTo(&b)
	must(t, err)
	sized := b.Bytes()
	batch := sized[4:]
	binary.BigEndian.PutUint16(batch[21:], uint16(protocol.Transactional))
	binary.BigEndian.PutUint64(batch[43:], uint64(x.p.ProducerID))
	binary.BigEndian.PutUint16(batch[51:], uint16(x.p.ProducerEpoch))
	binary.BigEndian.PutUint32(batch[53:], 0) // the first of its sequence
	binary.BigEndian.PutUint32(batch[17:], crc32.Checksum(batch[21:], crc32.MakeTable(crc32.Castagnoli)))
	return sized
}

// abort ends the transaction.
func (x *transaction) abort(t *testing.T) {
	t.Helper()
	res, err := x.client.EndTxn(t.Context(), &kafkago.EndTxnRequest{TransactionalID: x.id, ProducerID: x.p.ProducerID, ProducerEpoch: x.p.ProducerEpoch})
	must(t, err)
	must(t, res.Error)
}

// A transaction that hangs in a topic of lines, and in the topic of observations, holds back what is behind it. Agents
// and miners are then not ready and say why, and go on when it is ended.
func TestKafkaTransactionHangs(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	from := topicOf(t, k, 1, forever)
	m := startMiner(t, c, s, "the miner")
	a := startAgent(t, c, s.observations, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	m.awaitReady(t, "ok")
	a.awaitReady(t, "ok")
	x := open(t, c, from, s.observations)
	lines := crowdLines(1)
	produceLines(t, c, k, from, 1, lines)
	for _, r := range []*running{a, m} {
		r.awaitReady(t, "behind a transaction that has been open for a minute")
		r.stderr.awaits(t, "kafka-transactions.sh abort")
	}
	a.awaits(t, "/metrics", "\ndustbuster_hanging_offsets ")
	m.awaits(t, "/metrics", "\ndustbuster_partition_hanging_offsets{partition=\"0\"} 1\n")
	x.abort(t)
	awaitLikely(t, string(mineLines(t, lines, "--format", "vhost_combined")), patience, m)
	for _, r := range []*running{a, m} {
		r.awaitReady(t, "ok")
	}
	end(t, a, m)
}
