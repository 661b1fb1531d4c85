package owner

import (
	"bytes"
	"context"

	"dustbuster/operators/ledger"
	"dustbuster/sinks/event"
	"dustbuster/sinks/kafka"
	"dustbuster/stream/journal"
)

// log is where a partition's loop keeps its acts and tells its events: the Store
// of this generation, which stays the same to the loop.
type log struct {
	*kafka.Store
	acts  []journal.Act // that stood in it when it was claimed
	claim ledger.Tuple
}

// Load gives the acts that were there when the partition was claimed.
func (l *log) Load(fold func(*journal.Frame) error) error {
	return fold(&journal.Frame{Acts: l.acts})
}

// Emit tells events.
func (l *log) Emit(ctx context.Context, events []event.Event) error {
	return l.Events().Emit(ctx, events)
}

// claimed takes over a Store that claims the partition, and tells whether nobody
// else has owned the partition since the Store before.
func (l *log) claimed(ctx context.Context, s *kafka.Store) (still bool, err error) {
	var acts []journal.Act
	stop := context.AfterFunc(ctx, s.Close)
	err = s.Load(func(f *journal.Frame) error {
		for _, a := range f.Acts {
			acts = append(acts, journal.Act{Key: a.Key, Value: bytes.Clone(a.Value)})
		}
		return nil
	})
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return false, err
	}
	ours, before := s.Claims()
	still = before == l.claim
	l.Store, l.acts, l.claim = s, acts, ours
	return still, nil
}
