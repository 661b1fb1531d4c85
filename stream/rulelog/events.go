package rulelog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"dustbuster/operators/rule/event"
	stream "dustbuster/stream/kafka"
)

// Emit writes events to dust.events under the Store's claim, in one batch, or, if the batch
// is too large, in several. After an error some events may be missing.
func (s *Store) Emit(ctx context.Context, events []event.Event) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if !s.owns() {
		return ErrNotOwner
	}
	records := make([]stream.Record, len(events))
	s.mu.Lock()
	for i := range events {
		line, err := event.Append(nil, &events[i])
		if err != nil {
			s.mu.Unlock()
			return err
		}
		records[i] = written([]byte(events[i].Site), bytes.TrimSuffix(line, []byte("\n")), s.book.Next())
	}
	s.mu.Unlock()
	return s.send(ctx, records)
}

// send writes records. If the records are too large for a batch, send writes halves. An
// event too large by itself is reported and left out: such an event is one site's snapshot.
func (s *Store) send(ctx context.Context, records []stream.Record) error {
	if !s.o.Holds() {
		return ErrNotOwner
	}
	err := s.o.Log.Produce(ctx, s.o.Events, s.o.Partition, records)
	switch {
	case !errors.Is(err, stream.ErrTooLarge):
		return err
	case len(records) == 1:
		s.o.Failed(fmt.Sprintf("emit an event of site %q", records[0].Key), err)
		return nil
	}
	if err := s.send(ctx, records[:len(records)/2]); err != nil {
		return err
	}
	return s.send(ctx, records[len(records)/2:])
}
