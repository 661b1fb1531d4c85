package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dustbuster/stream/kafka"
)

// PartitionsError reports a topic that has lost partitions since the agent began to place
// observations: the topic was deleted, and may have been created again.
type PartitionsError struct {
	Topic     string
	Were, Are int // Are is 0 if the topic no longer exists
}

// Error returns the problem, and the remedy if there is one.
func (e *PartitionsError) Error() string {
	if e.Are == 0 {
		return fmt.Sprintf("topic %q is gone: create the topic again, then restart the agents", e.Topic)
	}
	return fmt.Sprintf("topic %q has %d partitions and had %d when this agent began: with another number, sites would move to other partitions, without their history; "+
		"make topics under other names and move to them, as docs/kafka.md says under \"More partitions\"", e.Topic, e.Are, e.Were)
}

// pinEvery is the interval between counts of a pinned topic's partitions. Two counts in a
// row must agree: a broker that has just started denies topics for a while.
const pinEvery = 5 * time.Second

// Pin returns a context for sending to a topic with the given number of partitions. The
// context ends when the topic has fewer partitions, or with ctx. The caller must call unpin,
// which returns the *PartitionsError if there is one. Partitions may be added to the topic. Then
// sending goes on, since the miners serve the partitions from before. added is called with the
// number of added partitions after each count that the next count confirms.
func Pin(ctx context.Context, topic string, partitions int, count func(ctx context.Context, topic string) (int, error), added func(int)) (pinned context.Context, unpin func() error) {
	pinned, end := context.WithCancelCause(ctx)
	var counting sync.WaitGroup
	counting.Go(func() {
		if err := watchCount(pinned, topic, partitions, count, added); err != nil {
			end(err)
		}
	})
	return pinned, func() error {
		end(nil)
		counting.Wait()
		var changed *PartitionsError
		if errors.As(context.Cause(pinned), &changed) {
			return changed
		}
		return nil
	}
}

// watchCount returns when the topic has fewer partitions, or ctx ends, then nil.
func watchCount(ctx context.Context, topic string, want int, count func(context.Context, string) (int, error), added func(int)) error {
	tick := time.NewTicker(pinEvery)
	defer tick.Stop()
	for before := want; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		n, err := count(ctx, topic)
		if err != nil && !errors.Is(err, kafka.ErrNoTopic) {
			before = want // the sender reports the error
			continue
		}
		switch {
		case n != before:
		case n < want:
			return &PartitionsError{Topic: topic, Were: want, Are: n}
		default:
			added(n - want)
		}
		before = n
	}
}
