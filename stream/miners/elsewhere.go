package miners

import (
	"context"
	"slices"
	"time"

	"dustbuster/stream/kafka"
)

// askOwner bounds the wait for the coordinator's answer about a site's owner.
const askOwner = 5 * time.Second

// Name returns the name of the group.
func (m *Member) Name() string { return m.o.Group }

// Members returns the members of the group. Members asks brokers.
func (m *Member) Members(ctx context.Context) ([]kafka.GroupMember, error) {
	return m.o.Cluster.Members(ctx, m.o.Group)
}

// Elsewhere reports whether another member owns a site at this moment, and returns that
// member. The returned member is empty while the owner is unknown, as while the group
// assigns partitions.
func (m *Member) Elsewhere(ctx context.Context, site string) (owner kafka.GroupMember, elsewhere bool) {
	if m.MayFetch(site) {
		return owner, false
	}
	count := m.partitions()
	if count == 0 {
		return owner, true
	}
	ctx, cancel := context.WithTimeout(ctx, askOwner)
	defer cancel()
	members, err := m.Members(ctx)
	if err != nil {
		m.failed("find the owner of a site")(err)
	}
	partition := kafka.PartitionOf([]byte(site), count)
	for _, member := range members {
		if slices.Contains(member.Partitions[m.o.Observations], partition) {
			return member, true
		}
	}
	return owner, true
}
