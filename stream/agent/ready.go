package agent

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"dustbuster/stream/kafka"
)

var (
	errNotJoined  = errors.New("waiting for the group to assign partitions")
	errNotCovered = errors.New("this agent reads no partition, and whether other agents read all partitions is not known yet")
)

// Ready returns nil while all topics exist and this member's partitions of them are read. For a
// member without partitions, Ready returns nil once other members own all partitions. The
// arguments are the group's coverage.
func (t *Topics) Ready(v kafka.Coverage, known bool) error {
	if !t.texts.generation.Holds() {
		return errNotJoined
	}
	for _, topic := range slices.Sorted(maps.Keys(v.Partitions)) {
		if v.Partitions[topic] == 0 {
			return fmt.Errorf("topic %q: %w", topic, kafka.ErrNoTopic)
		}
	}
	for _, p := range t.texts.parts {
		if p.away.Load() {
			return fmt.Errorf("partition %d of topic %q: %w", p.number, p.topic, kafka.ErrNoTopic)
		}
	}
	switch hanging := t.Hanging(); {
	case hanging > 0:
		return fmt.Errorf("%d offsets of lines are behind a transaction that has been open for a minute", hanging)
	case len(t.texts.parts) > 0:
		return nil
	case !known:
		return errNotCovered
	case v.Unowned > 0:
		return fmt.Errorf("this agent reads no partition, and %d partitions of the topics have no owner", v.Unowned)
	}
	return nil
}
