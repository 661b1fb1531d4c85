package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/createtopics"
	"github.com/segmentio/kafka-go/protocol/listoffsets"
)

// Topic is the brokers' description of a topic.
type Topic struct {
	Name       string
	Partitions int
	Replicas   int               // the least over the partitions
	Config     map[string]string // all settings, defaults too; nil without the permission DescribeConfigs
}

// Range is the readable part of a partition: offsets from First to before End.
type Range struct {
	First int64
	End   int64 // the last stable offset: no open transaction lies before
}

// Topic describes a topic. ErrNoTopic and ErrNotAuthorized can be told apart.
func (c *Cluster) Topic(ctx context.Context, name string) (Topic, error) {
	topic := Topic{Name: name}
	err := c.retry(ctx, time.Second/2, func(ctx context.Context) error {
		res, err := c.metadata(ctx, name)
		if err != nil {
			return err
		}
		if len(res.Topics) != 1 || res.Topics[0].Name != name {
			return errors.New("the broker's response is about another topic")
		}
		t := res.Topics[0]
		if err := answer(t.ErrorCode); err != nil {
			return err
		}
		topic.Partitions = len(t.Partitions)
		for i, p := range t.Partitions {
			if i == 0 || len(p.ReplicaNodes) < topic.Replicas {
				topic.Replicas = len(p.ReplicaNodes)
			}
		}
		topic.Config, err = c.describe(ctx, anyBroker, kafkago.ResourceTypeTopic, name)
		if errors.Is(err, ErrNotAuthorized) {
			return nil
		}
		return err
	})
	if err != nil {
		return topic, fmt.Errorf("describe topic %q: %w", name, err)
	}
	return topic, nil
}

// Create makes a topic, and waits until the partitions can be written. Settings left out,
// and replicas of -1, take the brokers' defaults. ErrExists: the topic exists.
func (c *Cluster) Create(ctx context.Context, t Topic) error {
	req := createtopics.RequestTopic{Name: t.Name, NumPartitions: int32(t.Partitions), ReplicationFactor: int16(t.Replicas)}
	for k, v := range t.Config {
		req.Configs = append(req.Configs, createtopics.RequestConfig{Name: k, Value: v})
	}
	err := c.retry(ctx, unknownFor, func(ctx context.Context) error {
		m, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		res, err := call[*createtopics.Response](ctx, c, m.ControllerID, &createtopics.Request{
			Topics: []createtopics.RequestTopic{req}, TimeoutMs: int32(c.options.Timeout / time.Millisecond),
		})
		if err != nil {
			return err
		}
		if len(res.Topics) != 1 {
			return errors.New("the broker's response holds no result")
		}
		return explained(res.Topics[0].ErrorCode, res.Topics[0].ErrorMessage)
	})
	if err == nil {
		err = c.retry(ctx, madeFor, func(ctx context.Context) error {
			c.forget(t.Name)
			for p := range t.Partitions {
				if _, err := c.leader(ctx, t.Name, p); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("make topic %q: %w", t.Name, err)
	}
	return nil
}

// Offsets returns the readable range of each partition.
func (c *Cluster) Offsets(ctx context.Context, topic string) ([]Range, error) {
	first, err := c.offsets(ctx, topic, kafkago.FirstOffset, committed)
	if err != nil {
		return nil, err
	}
	end, err := c.offsets(ctx, topic, kafkago.LastOffset, committed)
	if err != nil {
		return nil, err
	}
	ranges := make([]Range, min(len(first), len(end)))
	for p := range ranges {
		ranges[p] = Range{first[p], end[p]}
	}
	return ranges, nil
}

// OffsetsAt returns, for each partition, the offset of the first record at or after a time,
// or, without such a record, the partition's end.
func (c *Cluster) OffsetsAt(ctx context.Context, topic string, t time.Time) ([]int64, error) {
	end, err := c.offsets(ctx, topic, kafkago.LastOffset, committed) // the end is asked first, so that no record is passed over
	if err != nil {
		return nil, err
	}
	at, err := c.offsets(ctx, topic, max(t.UnixMilli(), 0), committed)
	if err != nil {
		return nil, err
	}
	for p := range at {
		if at[p] < 0 && p < len(end) {
			at[p] = end[p]
		}
	}
	return at, nil
}

// Isolation of a question for offsets: offsets beyond an open transaction are left out or
// counted.
const (
	uncommitted = 0
	committed   = 1
)

// offsets asks each partition's leader for the offset at a time, or for the first or last
// offset.
func (c *Cluster) offsets(ctx context.Context, topic string, at int64, isolation int8) (offsets []int64, err error) {
	err = c.retry(ctx, unknownFor, func(ctx context.Context) error {
		leaders, err := c.lead(ctx, topic)
		if err != nil {
			return err
		}
		offsets = make([]int64, len(leaders))
		all := make([]int, len(leaders))
		for p := range all {
			all[p] = p
		}
		err = c.offsetsOf(ctx, topic, all, at, isolation, offsets)
		if err != nil && !permanent(err) || errors.Is(err, ErrNoTopic) {
			c.forget(topic)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ask for offsets of topic %q: %w", topic, err)
	}
	return offsets, nil
}

// offsetsOf asks for some partitions, one leader after the other, without a retry. The
// answers are stored at the numbers of the partitions.
func (c *Cluster) offsetsOf(ctx context.Context, topic string, partitions []int, at int64, isolation int8, into []int64) error {
	led := map[int32][]listoffsets.RequestPartition{}
	for _, p := range partitions {
		leader, err := c.leader(ctx, topic, p)
		if err != nil {
			return fmt.Errorf("partition %d: %w", p, err)
		}
		led[leader] = append(led[leader], listoffsets.RequestPartition{Partition: int32(p), CurrentLeaderEpoch: -1, Timestamp: at})
	}
	for leader, asked := range led {
		res, err := call[*listoffsets.Response](ctx, c, leader, &listoffsets.Request{
			ReplicaID: -1, IsolationLevel: isolation,
			Topics: []listoffsets.RequestTopic{{Topic: topic, Partitions: asked}},
		})
		if err != nil {
			return err
		}
		if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != len(asked) {
			return errors.New("the broker does not answer for all partitions")
		}
		for _, p := range res.Topics[0].Partitions {
			if err := answer(p.ErrorCode); err != nil {
				return fmt.Errorf("partition %d: %w", p.Partition, err)
			}
			if p.Partition < 0 || int(p.Partition) >= len(into) {
				return fmt.Errorf("the broker answers for partition %d", p.Partition)
			}
			into[p.Partition] = p.Offset
		}
	}
	return nil
}
