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
	g, err := c.group(ctx, group)
	if err != nil {
		return nil, err
	}
	for _, m := range g.Members {
		partitions, _ := assignment(m.MemberAssignment)
		all = append(all, GroupMember{m.MemberID, strings.TrimPrefix(m.ClientHost, "/"), partitions})
	}
	return all, nil
}

// group asks a group's coordinator for the state and the members of the group. There is no
// retry.
func (c *Cluster) group(ctx context.Context, name string) (*describegroups.ResponseGroup, error) {
	at, err := c.coordinator(ctx, name)
	if err != nil {
		return nil, err
	}
	res, err := call[*describegroups.Response](ctx, c, at, &describegroups.Request{Groups: []string{name}})
	if err != nil {
		return nil, err
	}
	if len(res.Groups) != 1 || res.Groups[0].GroupID != name {
		return nil, errors.New("the broker's response is about another group")
	}
	return &res.Groups[0], answer(res.Groups[0].ErrorCode)
}

// coordinator returns the broker that coordinates a group. There is no retry.
func (c *Cluster) coordinator(ctx context.Context, group string) (node int32, err error) {
	at, err := call[*findcoordinator.Response](ctx, c, anyBroker, &findcoordinator.Request{Key: group})
	if err == nil {
		err = answer(at.ErrorCode)
	}
	if err != nil {
		return 0, err
	}
	return at.NodeID, nil
}

// assignment decodes the partitions of a member from the consumers' protocol: a version,
// then topics with their partitions. kafka-go's decoder would allocate any length claimed
// by hostile bytes. Of malformed bytes, assignment returns the partitions that can be read,
// and ok is false.
func assignment(b []byte) (partitions map[string][]int, ok bool) {
	partitions = map[string][]int{}
	c := cursor{data: b}
	c.int16() // the version: later ones append
	for range c.count(6) {
		topic := string(c.take(int(c.int16())))
		for range c.count(4) {
			partitions[topic] = append(partitions[topic], int(c.int32()))
		}
	}
	return partitions, !c.bad
}
