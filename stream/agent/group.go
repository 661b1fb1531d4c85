package agent

import (
	"context"
	"errors"

	"dustbuster/stream/kafka"
)

// RunGroup reads the partitions that a group gives to this member, as they come
// and go, until ctx ends. When they are revoked, or ctx ends, what is on its way
// is waited for as Run does, what has arrived is committed, and they are let go;
// so LastWords must be well below half of the group's session. What has not
// arrived by then is told to Options.Failed, and is read again by whoever gets
// the partitions. Open makes a source of a generation; its context
// ends with that. The error is the source's
// or the producer's, or, at the end of ctx, that of Run.
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
		if errors.Is(late, kafka.ErrRevoked) && !errors.Is(late, ErrUndelivered) {
			late = nil // it has been told, and costs a repetition
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, late)
		}
		if late != nil {
			a.fail("finish before partitions were revoked", late)
		}
	}
}

// Lines is a source that is closed after use.
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
