package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/segmentio/kafka-go/protocol/describegroups"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
)

// GroupMember is a member of a consumer group, as the group's coordinator knows it.
type GroupMember struct {
	ID, Host   string           // the host is an address
	Partitions map[string][]int // that it owns, by topic; of a group that gives out partitions at this moment, none
}

// Members returns the members of a group, once: a group that is not there, or gives out its
// partitions at this moment, has none that own any. The user must be allowed to describe
// the group, as its members are.
func (c *Cluster) Members(ctx context.Context, group string) ([]GroupMember, error) {
	all, err := c.members(ctx, group)
	if err != nil {
		return nil, fmt.Errorf("ask for the members of group %q: %w", group, err)
	}
	return all, nil
}

func (c *Cluster) members(ctx context.Context, group string) (all []GroupMember, err error) {
	at, err := call[*findcoordinator.Response](ctx, c, anyBroker, &findcoordinator.Request{Key: group})
	if err != nil {
		return nil, err
	}
	if err := answer(at.ErrorCode); err != nil {
		return nil, err
	}
	res, err := call[*describegroups.Response](ctx, c, at.NodeID, &describegroups.Request{Groups: []string{group}})
	if err != nil {
		return nil, err
	}
	if len(res.Groups) != 1 {
		return nil, errors.New("the broker says nothing of it")
	}
	if err := answer(res.Groups[0].ErrorCode); err != nil {
		return nil, err
	}
	for _, m := range res.Groups[0].Members {
		all = append(all, GroupMember{m.MemberID, strings.TrimPrefix(m.ClientHost, "/"), assignment(m.MemberAssignment)})
	}
	return all, nil
}

// assignment reads which partitions a member was given, in the consumers' protocol: a
// version, then topics with their partitions, each list after its length. kafka-go's decoder
// would make room for as many as hostile bytes claim. What is not understood is none.
func assignment(b []byte) map[string][]int {
	number := func(size int) int {
		if len(b) < size {
			b = nil
			return 0
		}
		n := 0
		for _, digit := range b[:size] {
			n = n<<8 | int(digit)
		}
		b = b[size:]
		return n
	}
	partitions := map[string][]int{}
	number(2) // the version: later ones append
	for range min(number(4), len(b)) {
		n := min(number(2), len(b))
		topic := string(b[:n])
		b = b[n:]
		for range min(number(4), len(b)/4) {
			partitions[topic] = append(partitions[topic], number(4))
		}
	}
	return partitions
}
