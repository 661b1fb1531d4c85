package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/segmentio/kafka-go/protocol/describegroups"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
)

// GroupMember is a member of a consumer group, as the group's coordinator knows members.
type GroupMember struct {
	ID, Host   string           // the host is an address
	Partitions map[string][]int // owned partitions, by topic; empty while the group assigns its partitions
}

// Members returns the members of a group. There is no retry. A missing group has no
// members. In a group that is assigning its partitions, members own no partitions. The user
// needs the permission to describe the group, as members do.
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

// assignment decodes the partitions of a member from the consumers' protocol: a version,
// then topics with their partitions, each list after its length. kafka-go's decoder would
// allocate any length claimed by hostile bytes. Bytes of unknown form give no partitions.
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
