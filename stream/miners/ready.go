package miners

import (
	"errors"
	"fmt"
	"time"

	"dustbuster/stream/kafka"
)

var (
	errNotJoined   = errors.New("waiting for the group to assign partitions")
	errNoPartition = errors.New("this member owns no partition: ask another")
	errNotCovered  = errors.New("this member owns no partition, and whether other members own all partitions is not known yet")
)

// Ready returns nil once all owned partitions have caught up and the group serves all
// partitions of the topic. A member without partitions must know that.
func (m *Member) Ready() error {
	all := m.Partitions()
	m.mu.Lock()
	generation, group := m.generation, m.group
	m.mu.Unlock()
	if generation == nil || !generation.Holds() {
		return errNotJoined
	}
	if err := m.failing(); err != nil {
		return err
	}
	for _, p := range m.all() {
		if err := p.unlike.err(time.Now()); err != nil {
			return fmt.Errorf("partition %d of topic %q: %w", p.id, m.o.Observations, err)
		}
	}
	if n := m.Unserved(); n > 0 {
		return fmt.Errorf("topic %q has %d partitions that no member serves: docs/kafka.md says under \"More partitions\" what to do if they were added", m.o.Observations, n)
	}
	for _, p := range all {
		if p.Hanging > 0 {
			return fmt.Errorf("partition %d of topic %q: %d offsets are behind a transaction that has been open for a minute", p.Partition, m.o.Observations, p.Hanging)
		}
		if !p.CaughtUp {
			return fmt.Errorf("partition %d is being read: at offset %d of %d", p.Partition, p.Position, p.End)
		}
	}
	if len(all) > 0 {
		return nil
	}
	return m.idle(group.Coverage())
}

// failing returns the error of a partition that this member owns and does not serve; nil if there
// is none.
func (m *Member) failing() error {
	for _, p := range m.all() {
		if !p.unserved.Load() {
			continue
		}
		p.mu.Lock()
		err := p.wrong
		p.mu.Unlock()
		return fmt.Errorf("partition %d of topic %q is not served: %w", p.id, m.o.Observations, err)
	}
	return nil
}

// Unserved returns the number of the topic's partitions that no member of the group serves, as
// far as known: partitions that were added, partitions without an owner, and those of this member
// that it cannot claim or read.
func (m *Member) Unserved() (n int) {
	for _, p := range m.all() {
		if p.unserved.Load() {
			n++
		}
	}
	m.mu.Lock()
	group, added := m.group, max(0, m.grown-m.count)
	m.mu.Unlock()
	if group == nil {
		return n + added
	}
	v, _ := group.Coverage()
	return n + max(added, v.Unowned) // an added partition may have an owner, who does not serve it
}

// idle returns the reason for which the group may not serve all partitions; nil if there is
// none.
func (m *Member) idle(v kafka.Coverage, known bool) error {
	topic := m.o.Observations
	switch {
	case !known:
		return errNotCovered
	case v.Partitions[topic] == 0:
		return fmt.Errorf("topic %q: %w", topic, kafka.ErrNoTopic)
	}
	return nil
}
