package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/listoffsets"
	"github.com/segmentio/kafka-go/protocol/metadata"
)

// Topic is the brokers' description of a topic.
type Topic struct {
	Name       string
	Partitions int
	Replicas   int                // the least over the partitions
	Config     map[string]string  // all settings, defaults too; nil without the permission DescribeConfigs
	Allowed    map[Operation]bool // whether the user may do each operation; nil if the broker does not say
}

// Operation is a user's operation on a topic, as Kafka numbers operations (AclOperation).
type Operation int

// Some operations.
const (
	Read  Operation = 3
	Write Operation = 4
)

// String is the operation's name in ACLs.
func (o Operation) String() string { return map[Operation]string{Read: "Read", Write: "Write"}[o] }

// allowed decodes the operations that the user may do, a bit each. Brokers before 2.3 do not
// answer, and the smallest number stands for no answer.
func allowed(bits int32) map[Operation]bool {
	if bits <= 0 {
		return nil
	}
	return map[Operation]bool{Read: bits>>Read&1 != 0, Write: bits>>Write&1 != 0}
}

// topic asks a broker about one topic. There is no retry.
func (c *Cluster) topic(ctx context.Context, name string) (t metadata.ResponseTopic, err error) {
	res, err := c.metadata(ctx, name)
	if err != nil {
		return t, err
	}
	if len(res.Topics) != 1 || res.Topics[0].Name != name {
		return t, errors.New("the broker's response is about another topic")
	}
	return res.Topics[0], answer(res.Topics[0].ErrorCode)
}

// Topic describes a topic. ErrNoTopic and ErrNotAuthorized can be told apart.
func (c *Cluster) Topic(ctx context.Context, name string) (Topic, error) {
	topic := Topic{Name: name}
	err := c.retry(ctx, time.Second/2, fmt.Sprintf("describe topic %q", name), func(ctx context.Context) error {
		t, err := c.topic(ctx, name)
		if err != nil {
			return err
		}
		topic.Partitions, topic.Allowed = len(t.Partitions), allowed(t.TopicAuthorizedOperations)
		for i, p := range t.Partitions {
			if i == 0 || len(p.ReplicaNodes) < topic.Replicas {
				topic.Replicas = len(p.ReplicaNodes)
			}
		}
		topic.Config, err = c.config(ctx, anyBroker, kafkago.ResourceTypeTopic, name)
		return err
	})
	return topic, err
}

// Partitions returns the number of partitions of a topic. Without the topic the number is
// 0, with ErrNoTopic. The answer is one broker's: a broker that has just started may know
// no topics.
func (c *Cluster) Partitions(ctx context.Context, topic string) (n int, err error) {
	err = c.retry(ctx, 0, fmt.Sprintf("ask for the partitions of topic %q", topic), func(ctx context.Context) error {
		t, err := c.topic(ctx, topic)
		if err == nil {
			n = len(t.Partitions)
		}
		return err
	})
	return n, err
}

// Range is the readable part of a partition: offsets from First to before End.
type Range struct {
	First int64
	End   int64 // the last stable offset: no open transaction lies before
}

// Offsets returns the readable range of each partition.
func (c *Cluster) Offsets(ctx context.Context, topic string) (ranges []Range, err error) {
	err = c.retry(ctx, unknownFor, fmt.Sprintf("ask for offsets of topic %q", topic), func(ctx context.Context) error {
		leaders, err := c.lead(ctx, topic)
		if err != nil {
			return err
		}
		found, err := c.rangesOf(ctx, topic, numbers(len(leaders)), committed)
		if err != nil && !permanent(err) || errors.Is(err, ErrNoTopic) {
			c.forget(topic)
		}
		ranges = nil
		for p := range len(found) {
			ranges = append(ranges, found[p])
		}
		return err
	})
	return ranges, err
}

// Isolation of a question for offsets: offsets beyond an open transaction are left out or
// counted.
const (
	uncommitted = 0
	committed   = 1
)

// rangesOf asks for the ranges of some partitions, by partition. There is no retry.
func (c *Cluster) rangesOf(ctx context.Context, topic string, partitions []int, isolation int8) (map[int]Range, error) {
	first, err := c.offsetsOf(ctx, topic, partitions, kafkago.FirstOffset, isolation)
	if err != nil {
		return nil, err
	}
	end, err := c.offsetsOf(ctx, topic, partitions, kafkago.LastOffset, isolation)
	if err != nil {
		return nil, err
	}
	ranges := map[int]Range{}
	for _, p := range partitions {
		ranges[p] = Range{first[p], end[p]}
	}
	return ranges, nil
}

// offsetsOf asks for the first or the last offset of some partitions, one leader after the
// other.
func (c *Cluster) offsetsOf(ctx context.Context, topic string, partitions []int, at int64, isolation int8) (map[int]int64, error) {
	led := map[int32][]listoffsets.RequestPartition{}
	for _, p := range partitions {
		leader, err := c.leader(ctx, topic, p)
		if err != nil {
			return nil, fmt.Errorf("partition %d: %w", p, err)
		}
		led[leader] = append(led[leader], listoffsets.RequestPartition{Partition: int32(p), CurrentLeaderEpoch: -1, Timestamp: at})
	}
	offsets := map[int]int64{}
	for leader, asked := range led {
		res, err := call[*listoffsets.Response](ctx, c, leader, &listoffsets.Request{
			ReplicaID: -1, IsolationLevel: isolation,
			Topics: []listoffsets.RequestTopic{{Topic: topic, Partitions: asked}},
		})
		if err != nil {
			return nil, err
		}
		if len(res.Topics) != 1 {
			return nil, errNoResult
		}
		for _, p := range res.Topics[0].Partitions {
			if err := answer(p.ErrorCode); err != nil {
				return nil, fmt.Errorf("partition %d: %w", p.Partition, err)
			}
			offsets[int(p.Partition)] = p.Offset
		}
	}
	for _, p := range partitions {
		if _, ok := offsets[p]; !ok {
			return nil, fmt.Errorf("the broker does not answer for partition %d", p)
		}
	}
	return offsets, nil
}
