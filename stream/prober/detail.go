package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
)

// Times of waiting for a machine that is computing. A machine computes for a second at most on
// most sites.
const (
	detailWait = 2 * time.Second
	detailLook = 10 * time.Millisecond
)

// Detail returns what a site's machine knows. ok is false if the site is unknown, or if its
// machine went on computing for two seconds. Detail delays the trials of the site by
// milliseconds, and no other work.
func (w *Worker) Detail(ctx context.Context, name string, q lifecycle.Query) (d lifecycle.Detail, ok bool) {
	s := w.known(name)
	if s == nil {
		return d, false
	}
	for end := time.Now().Add(detailWait); !s.mu.TryLock(); {
		if ctx.Err() != nil || time.Now().After(end) {
			return d, false
		}
		time.Sleep(detailLook)
	}
	defer s.mu.Unlock()
	d = s.machine.Detail(q, time.Now().Unix())
	d.Pairs = map[string][]book.Opened{}
	for _, e := range d.Tried {
		d.Pairs[e.ID] = w.o.Evidence.of(name, &e)
	}
	return d, true
}
