package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

// flight is a batch under way.
type flight struct {
	ends  map[uint64]int64 // of the batch's lines
	cargo map[place][]kafka.Record
	sent  Sent
	began time.Time
	here  bool  // the flight has arrived, or has failed for good
	err   error // the reason of the failure
}

// place is a partition of a topic.
type place struct {
	topic     string
	partition int
}

// lanes is the number of partitions that a flight is sent to at once.
const lanes = 4

// send sends the gathered batch.
func (a *Agent) send() {
	f := &flight{ends: a.ends, cargo: map[place][]kafka.Record{}, began: time.Now()}
	a.ends, a.gathered, a.due = map[uint64]int64{}, false, false
	for site, list := range a.combiner.Drain() {
		key := []byte(site)
		to := place{a.o.Topic, kafka.PartitionOf(key, a.o.Partitions)}
		f.sent.Observations += len(list)
		for len(list) > 0 {
			value, n := evidence.Append(nil, a.o.Head, list)
			f.load(to, kafka.Record{Key: key, Value: value})
			list = list[n:]
		}
	}
	a.forget()
	for _, letter := range a.deadLetters.drain() {
		a.letters++
		f.load(place{a.o.DeadLetters, a.letters % a.o.DeadLetterPartitions}, letter)
		f.sent.DeadLetters++
	}
	a.flights = append(a.flights, f)
	a.update(func(s *Status) { s.Waiting, s.Unsent = 0, a.flights[0].began })
	go f.fly(a.sending, a.to, a.landed)
}

func (f *flight) load(to place, r kafka.Record) {
	f.cargo[to] = append(f.cargo[to], r)
	f.sent.Records++
	f.sent.Bytes += len(r.Key) + len(r.Value)
}

// fly sends all, and lands.
func (f *flight) fly(ctx context.Context, to Producer, landed chan<- *flight) {
	next := make(chan place)
	errs := make([]error, lanes)
	var flying sync.WaitGroup
	for i := range min(lanes, len(f.cargo)) {
		flying.Go(func() {
			for at := range next {
				errs[i] = errors.Join(errs[i], produce(ctx, to, at, f.cargo[at]))
			}
		})
	}
	for at := range f.cargo {
		next <- at
	}
	close(next)
	flying.Wait()
	f.err, f.cargo = errors.Join(errs...), nil
	landed <- f
}

// produce sends records to one place. If they are too many for a broker, it sends halves.
func produce(ctx context.Context, to Producer, at place, list []kafka.Record) error {
	err := to.Produce(ctx, at.topic, at.partition, list)
	if !errors.Is(err, kafka.ErrTooLarge) {
		return err
	}
	if len(list) == 1 {
		return fmt.Errorf("one record of %d bytes: %w", len(list[0].Key)+len(list[0].Value), err)
	}
	half := len(list) / 2
	return errors.Join(produce(ctx, to, at, list[:half]), produce(ctx, to, at, list[half:]))
}

// land takes in a flight, and returns its error. Lines count as dealt with once all flights
// up to their own have arrived. After a flight that has failed for good, no more lines
// count.
func (a *Agent) land(f *flight) error {
	f.here = true
	for len(a.flights) > 0 && a.flights[0].here {
		first := a.flights[0]
		a.flights = a.flights[1:]
		if a.lost = a.lost || first.err != nil; a.lost {
			continue
		}
		maps.Copy(a.acked, first.ends)
		a.update(func(s *Status) { s.Sent.add(&first.sent) })
	}
	a.update(func(s *Status) {
		if s.Unsent = (time.Time{}); len(a.flights) > 0 {
			s.Unsent = a.flights[0].began
		}
	})
	return f.err
}
