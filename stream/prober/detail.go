package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
)

// Detail returns what a site's machine knows. The error is ErrNoSite, or report.ErrBusy if the machine went on
// computing for two seconds. Detail delays the trials of the site by milliseconds, and no other work.
func (w *Worker) Detail(ctx context.Context, name string, q lifecycle.Query) (d lifecycle.Detail, err error) {
	s := w.known(name)
	if s == nil {
		return d, ErrNoSite
	}
	if err := s.ask(ctx, func() { d = s.machine.Answers.Detail(q, time.Now().Unix()) }); err != nil {
		return d, err
	}
	d.Pairs = map[string][]book.Opened{}
	for _, e := range d.Tried {
		d.Pairs[e.ID] = w.o.Evidence.of(name, &e)
	}
	return d, nil
}
