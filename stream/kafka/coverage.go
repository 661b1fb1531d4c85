package kafka

import (
	"context"
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/consumer"
	"github.com/segmentio/kafka-go/protocol/describegroups"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
)

// Coverage is which partitions of its topics a group's members own between them.
type Coverage struct {
	Partitions map[string]int // partitions of each topic; 0: the topic does not exist
	Unowned    int            // existing partitions without an owner
	Gone       int            // owned partitions that do not exist
}

// errUnsettled reports a group that is assigning its partitions at this moment.
var errUnsettled = errors.New("the group is giving out its partitions")

// coverage asks which partitions of some topics have an owner. There is no retry.
func (c *Cluster) coverage(ctx context.Context, group string, topics []string) (Coverage, error) {
	v := Coverage{Partitions: map[string]int{}}
	owned, err := c.ownedBy(ctx, group)
	if err != nil {
		return v, fmt.Errorf("ask what group %q owns: %w", group, err)
	}
	for _, topic := range topics {
		n, err := c.Partitions(ctx, topic)
		if err != nil && !errors.Is(err, ErrNoTopic) {
			return v, err
		}
		v.Partitions[topic] = n
		there := 0
		for p := range owned[topic] {
			if p < n {
				there++
			}
		}
		v.Unowned += n - there
		v.Gone += len(owned[topic]) - there
	}
	return v, nil
}

// Partitions returns the number of partitions of a topic. Without the topic the number is
// 0, with ErrNoTopic. The answer is one broker's: a broker that has just started may know
// no topics.
func (c *Cluster) Partitions(ctx context.Context, topic string) (n int, err error) {
	err = c.retry(ctx, 0, func(ctx context.Context) error {
		res, err := c.metadata(ctx, topic)
		if err != nil {
			return err
		}
		if len(res.Topics) != 1 || res.Topics[0].Name != topic {
			return errors.New("the broker speaks of another topic")
		}
		n = len(res.Topics[0].Partitions)
		return answer(res.Topics[0].ErrorCode)
	})
	if err != nil {
		return 0, fmt.Errorf("ask for the partitions of topic %q: %w", topic, err)
	}
	return n, nil
}

// ownedBy returns the partitions that the members of a group own, by topic.
func (c *Cluster) ownedBy(ctx context.Context, group string) (map[string]map[int]bool, error) {
	found, err := call[*findcoordinator.Response](ctx, c, anyBroker, &findcoordinator.Request{Key: group})
	if err == nil {
		err = answer(found.ErrorCode)
	}
	if err != nil {
		return nil, err
	}
	res, err := call[*describegroups.Response](ctx, c, found.NodeID, &describegroups.Request{Groups: []string{group}})
	if err != nil {
		return nil, err
	}
	if len(res.Groups) != 1 || res.Groups[0].GroupID != group {
		return nil, errors.New("the broker speaks of another group")
	}
	if err := answer(res.Groups[0].ErrorCode); err != nil {
		return nil, err
	}
	if res.Groups[0].GroupState != "Stable" {
		return nil, errUnsettled
	}
	owned := map[string]map[int]bool{}
	for _, m := range res.Groups[0].Members {
		if err := addAssigned(owned, m.MemberAssignment); err != nil {
			return nil, err
		}
	}
	return owned, nil
}

// addAssigned adds a member's partitions. Any member may send any bytes.
func addAssigned(owned map[string]map[int]bool, text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("decode what a member was given: %v", p)
		}
	}()
	var a consumer.Assignment
	if err := protocol.Unmarshal(text, 0, &a); err != nil {
		return fmt.Errorf("decode what a member was given: %w", err)
	}
	for _, t := range a.AssignedPartitions {
		if owned[t.Topic] == nil {
			owned[t.Topic] = map[int]bool{}
		}
		for _, p := range t.Partitions {
			owned[t.Topic][int(p)] = true
		}
	}
	return nil
}
