package loop

import (
	"context"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/stream/job"
)

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

// lister is the state of the lists that readers get.
type lister struct {
	to    Publisher                     // nil: nobody reads lists
	ended func(doing string, err error) // as in announcer
	due   bool                          // the last list must be published again, since the sink has not taken the list
	news  bool                          // there is a newer list than the one that is being published
}

// Publisher takes the whole list of rules, which replaces the last list. Publish returns
// when the list is as safe as the publisher can make it. The publisher retries until ctx
// ends.
type Publisher interface {
	Publish(ctx context.Context, rules jsonl.List) error
}
