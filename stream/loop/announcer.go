package loop

import (
	"context"
	"time"

	"dustbuster/operators/rule/event"
)

// patience is the longest wait for a sink. Events not taken by then are emitted at the next
// refinement: events are the difference between the rules held by readers and the likely
// rules, so no event need be kept.
const patience = 2 * time.Second

// together is the number of events emitted at once: for some sinks a batch costs as much as
// one event.
const together = 256

// retry gives the sink another chance.
func (a *announcer) retry() { a.behind = false }

// announce queues events, which flush emits at the latest. announce reports whether the
// sink works.
func (a *announcer) announce(ctx context.Context, events ...event.Event) bool {
	for i := range events {
		if a.behind {
			return false
		}
		if a.queue = append(a.queue, events[i]); len(a.queue) >= together {
			a.flush(ctx)
		}
	}
	return !a.behind
}

// flush emits the queued events, and reports whether the sink works. If the sink fails,
// flush drops the events: the next refinement computes the difference anew.
func (a *announcer) flush(ctx context.Context) bool {
	events := a.queue
	a.queue = a.queue[:0]
	if a.behind || len(events) == 0 {
		return !a.behind
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := a.to.Emit(ctx, events)
	a.ended("emit events", err)
	if err != nil {
		a.behind = true
		return false
	}
	a.emitted += len(events)
	for i := range events {
		a.readers.Take(&events[i])
	}
	clear(events)
	return true
}

// announcer emits events, and knows the rules held by readers.
type announcer struct {
	to      Emitter
	ended   func(doing string, err error) // called after each attempt; err is nil if the sink took the events
	readers event.Readers
	queue   []event.Event
	behind  bool // the sink has not taken events: nothing is emitted until retry
	emitted int  // events taken by the sink
}

// Emitter takes events, as Publisher takes lists.
type Emitter interface {
	Emit(ctx context.Context, events []event.Event) error
}
