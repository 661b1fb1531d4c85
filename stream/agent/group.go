package agent

import (
	"context"
	"errors"

	"dustbuster/stream/kafka"
)

// RunGroup reads the partitions that a group assigns to this member, as assignments change,
// until ctx ends. When they are revoked, or ctx ends, it waits for batches under way as Run
// does, commits the lines that have arrived, and releases the partitions. So FlushTimeout must be well below half of the group's session. Lines that have not arrived
// by then are reported to Options.Failed, and are read again by the next owner of the
// partitions. Open makes a source of a generation; the context given to Open ends with the
// generation. The error is the source's or the producer's, or, at the end of ctx, Run's.
func (a *Agent) RunGroup(ctx context.Context, group *kafka.Group, open func(context.Context, *kafka.Generation) (Lines, error)) error {
	for {
		g, err := group.Next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		err, late := a.runGeneration(ctx, g, open)
		if errors.Is(err, kafka.ErrRecreated) {
			err = nil // the next generation begins with the new topic, and reports it
		}
		if errors.Is(late, kafka.ErrRevoked) && !errors.Is(late, ErrUndelivered) {
			late = nil // already reported; costs a repetition
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, late)
		}
		if late != nil {
			a.fail(RevokeFailed, "finish before partitions were revoked", late)
		}
	}
}

// Lines is a source to be closed after use.
type Lines interface {
	Source
	Close() error
}

func (a *Agent) runGeneration(ctx context.Context, g *kafka.Generation, open func(context.Context, *kafka.Generation) (Lines, error)) (err, late error) {
	defer g.Release()
	running, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		select {
		case <-g.Done():
		case <-running.Done():
		}
	}()
	source, err := open(running, g)
	if err != nil {
		return err, nil
	}
	err, late = a.run(running, source)
	return err, errors.Join(late, source.Close())
}
