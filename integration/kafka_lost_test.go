package integration

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// deleteRequest and deleteResponse are Kafka's DeleteRecords, of which kafka-go knows no
// more than the number.
type deleteRequest struct {
	Topics    []deleteTopics `kafka:"min=v0,max=v0"`
	TimeoutMs int32          `kafka:"min=v0,max=v0"`
}

type deleteTopics struct {
	Name       string             `kafka:"min=v0,max=v0"`
	Partitions []deletePartitions `kafka:"min=v0,max=v0"`
}

type deletePartitions struct {
	Partition int32 `kafka:"min=v0,max=v0"`
	Offset    int64 `kafka:"min=v0,max=v0"`
}

type deleteResponse struct {
	ThrottleTimeMs int32           `kafka:"min=v0,max=v0"`
	Topics         []deletedTopics `kafka:"min=v0,max=v0"`
}

type deletedTopics struct {
	Name       string              `kafka:"min=v0,max=v0"`
	Partitions []deletedPartitions `kafka:"min=v0,max=v0"`
}

type deletedPartitions struct {
	Partition    int32 `kafka:"min=v0,max=v0"`
	LowWatermark int64 `kafka:"min=v0,max=v0"`
	ErrorCode    int16 `kafka:"min=v0,max=v0"`
}

func init() { protocol.Register(&deleteRequest{}, &deleteResponse{}) }

func (*deleteRequest) ApiKey() protocol.ApiKey  { return protocol.DeleteRecords }
func (*deleteResponse) ApiKey() protocol.ApiKey { return protocol.DeleteRecords }

// Broker is any: the tests' topics are on one.
func (*deleteRequest) Broker(c protocol.Cluster) (protocol.Broker, error) {
	for _, b := range c.Brokers {
		return b, nil
	}
	return protocol.Broker{}, fmt.Errorf("no brokers")
}

// deleteRecords deletes a partition's records before an offset.
func deleteRecords(t *testing.T, c *kafkatest.Cluster, topic string, partition int, before int64) {
	t.Helper()
	transport := &kafkago.Transport{}
	defer transport.CloseIdleConnections()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	res, err := transport.RoundTrip(ctx, kafkago.TCP(c.Brokers...), &deleteRequest{TimeoutMs: 10_000,
		Topics: []deleteTopics{{topic, []deletePartitions{{int32(partition), before}}}}})
	must(t, err)
	if p := res.(*deleteResponse).Topics[0].Partitions[0]; p.ErrorCode != 0 || p.LowWatermark != before {
		t.Fatalf("%+v", p)
	}
}

// committed is what a group has committed of a partition; -1: nothing.
func committed(t *testing.T, c *kafkatest.Cluster, group, topic string, partition int) int64 {
	t.Helper()
	client := kafkago.Client{Addr: kafkago.TCP(c.Brokers...)}
	res, err := client.OffsetFetch(t.Context(), &kafkago.OffsetFetchRequest{GroupID: group, Topics: map[string][]int{topic: {partition}}})
	must(t, err)
	return res.Topics[topic][0].CommittedOffset
}

// Lines that are deleted before the agent that was given them has committed anything
// count as lost, though it was killed and another reads the partition.
func TestAgentLosesBeforeFirstCommit(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	from := topicOf(t, k, 1, nil)
	begin := func() *running {
		return startAgent(t, c, s.observations, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(),
			"--format", "vhost_combined", "--window", "0")
	}
	a := begin()
	a.stderr.awaits(t, "partitions assigned")
	expect.Poll(5*time.Second, func() (any, bool) { return nil, committed(t, c, from, from, 0) >= 0 })
	a.kill(t)
	lines := crowdLines(1)
	produceLines(t, c, k, from, 1, lines)
	deleteRecords(t, c, from, 0, 3)
	b := begin()
	b.stderr.awaits(t, "lines are lost: they were deleted before they were read")
	if said := b.stderr.String(); !strings.Contains(said, `"offsets":3`) || !strings.Contains(said, filepath.Join(from, "0")) {
		t.Errorf("what is said: %s", said)
	}
	b.end(t)
}

// Lines that are lost count once, by the member that was given their partition first: not again when it is
// killed as soon as it has told, and not again by each that follows.
func TestAgentLosesOnce(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	to, from := topicOf(t, k, 1, forever), topicOf(t, k, 1, forever)
	lines := recreatedLines("a.example", 400)
	produceLines(t, c, k, from, 1, lines)
	g, err := k.Join(t.Context(), kafka.GroupOptions{Group: from, Topics: []string{from}})
	must(t, err)
	generation, err := g.Next(t.Context())
	must(t, err)
	must(t, generation.Commit(kafka.Offset{Topic: from, Partition: 0, Offset: 100}))
	g.Close()
	deleteRecords(t, c, from, 0, 107)
	said := 0
	for range 3 {
		a := startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "vhost_combined",
			"--checkpoint-interval", "10s")
		expect.Poll(patience, func() (any, bool) {
			return nil, strings.Contains(a.stderr.String(), "were deleted before") || strings.Contains(a.get("/metrics"), `result="admitted"} 293`)
		})
		a.kill(t)
		said += strings.Count(a.stderr.String(), `"offsets":7`)
	}
	if said != 1 {
		t.Errorf("told %d times", said)
	}
}
