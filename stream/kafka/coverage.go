package kafka

import (
	"context"
	"errors"
	"fmt"
)

// Coverage is which partitions of its topics a group's members own between them.
type Coverage struct {
	Partitions map[string]int // partitions of each topic; 0: the topic does not exist
	Unowned    int            // existing partitions without an owner
	Gone       int            // owned partitions that do not exist
}

// errUnsettled reports a group that is assigning its partitions at this moment.
var errUnsettled = errors.New("the group is assigning its partitions")

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
			return errors.New("the broker's response is about another topic")
		}
		n = len(res.Topics[0].Partitions)
		return answer(res.Topics[0].ErrorCode)
	})
	if err != nil {
		return 0, fmt.Errorf("ask for the partitions of topic %q: %w", topic, err)
	}
	return n, nil
}

// errAssignment reports bytes of a member that are no assignment. Any member may send any
// bytes.
var errAssignment = errors.New("a member's assignment cannot be decoded")

// ownedBy returns the partitions that the members of a group own, by topic.
func (c *Cluster) ownedBy(ctx context.Context, group string) (map[string]map[int]bool, error) {
	g, err := c.group(ctx, group)
	if err != nil {
		return nil, err
	}
	if g.GroupState != "Stable" {
		return nil, errUnsettled
	}
	owned := map[string]map[int]bool{}
	for _, m := range g.Members {
		partitions, ok := assignment(m.MemberAssignment)
		if !ok {
			return nil, errAssignment
		}
		for topic, of := range partitions {
			if owned[topic] == nil {
				owned[topic] = map[int]bool{}
			}
			for _, p := range of {
				owned[topic][p] = true
			}
		}
	}
	return owned, nil
}
