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
	return s.produce(ctx, s.o.Events, "emit an event of site %q", records)
}

// produce writes records, all or none. If they are too large for a batch, it writes halves. A
// record too large by itself is reported, with its key in doing, and left out: such an event is
// one site's snapshot.
func (s *Store) produce(ctx context.Context, topic, doing string, records []stream.Record) error {
	if !s.o.Holds() {
		return ErrNotOwner
	}
	err := s.o.Log.Produce(ctx, topic, s.o.Partition, records)
	switch {
	case !errors.Is(err, stream.ErrTooLarge):
		return err
	case len(records) == 1:
		s.o.Failed(fmt.Sprintf(doing, records[0].Key), err)
		return nil
	}
	if err := s.produce(ctx, topic, doing, records[:len(records)/2]); err != nil {
		return err
	}
	return s.produce(ctx, topic, doing, records[len(records)/2:])
}
