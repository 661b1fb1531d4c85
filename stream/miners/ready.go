package miners

import (
	"errors"
	"fmt"

	"dustbuster/stream/kafka"
)

var (
	errNotJoined  = errors.New("waiting for the group to assign partitions")
	errNotCovered = errors.New("this member owns no partition, and whether other members own all partitions is not known yet")
)

// Ready returns nil once all owned partitions have caught up. For a member without
// partitions, Ready returns nil once other members own all partitions.
func (m *Member) Ready() error {
	all := m.Partitions()
	m.mu.Lock()
	generation, group := m.generation, m.group
	m.mu.Unlock()
	if generation == nil || !generation.Holds() {
		return errNotJoined
	}
	for _, p := range all {
		if !p.CaughtUp {
			return fmt.Errorf("partition %d is being read: at offset %d of %d", p.Partition, p.Position, p.End)
		}
	}
	if len(all) > 0 {
		return nil
	}
	return m.idle(group.Coverage())
}

// idle returns the reason for which a member should own a partition; nil if there is none
// left to own.
func (m *Member) idle(v kafka.Coverage, known bool) error {
	topic := m.o.Observations
	switch {
	case !known:
		return errNotCovered
	case v.Partitions[topic] == 0:
		return fmt.Errorf("topic %q: %w", topic, kafka.ErrNoTopic)
	case v.Unowned > 0:
		return fmt.Errorf("this member owns no partition, and %d of the %d partitions of topic %q have no owner", v.Unowned, v.Partitions[topic], topic)
	}
	return nil
}
