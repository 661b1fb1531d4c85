package loop

import (
	"context"
	"time"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule/event"
	"dustbuster/stream/job"
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

// publish publishes the list, which replaces the last list: the valid rules, or, if rules
// are not tried, the likely rules. While a list is being published, the new list waits.
func (l *Loop) publish(ctx context.Context) {
	switch p := &l.out; {
	case p.to == nil:
		p.due = false
	case l.jobs.Busy(job.Publish):
		p.news = true
	default:
		p.news = false
		l.jobs.Go(job.Publish, func() job.Run { return l.publishing(ctx) })
	}
}

// publishing returns the work of publishing the present list.
func (l *Loop) publishing(ctx context.Context) job.Run {
	valid, likely, to := l.lists.valid, l.lists.rules, l.out.to
	ctx, cancel := context.WithTimeout(ctx, patience)
	return func() job.Take {
		defer cancel()
		list := valid
		if l.o.Validate == nil {
			list = jsonl.Lists(likely)
		}
		err := to.Publish(ctx, list)
		return func(ctx context.Context) { l.takePublished(ctx, err) }
	}
}

// takePublished ends the publication of a list.
func (l *Loop) takePublished(ctx context.Context, err error) {
	l.out.due = err != nil
	if l.out.ended("publish rules", err); l.out.news {
		l.publish(ctx)
	}
}
