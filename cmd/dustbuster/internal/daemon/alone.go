package daemon

import (
	"context"
	"errors"
	"sync/atomic"

	"dustbuster/sinks/admin"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
)

// alone is a process that follows logs and keeps a file of their rules. The listener reads the pointers that
// follow sets.
type alone struct {
	*process
	inputs *inputs
	loop   *loop.Loop
	source atomic.Pointer[loop.Inputs]
	out    *sinks
	worker *prober.Worker // nil: rules are not tried
}

func (d *alone) known() (*loop.State, error) { return d.loop.State(), nil }

func (d *alone) workers() []*prober.Worker {
	if d.worker == nil {
		return nil
	}
	return []*prober.Worker{d.worker}
}

func (d *alone) describe(o *overview) {
	source := d.source.Load()
	o.tail, o.lags, o.inputs = source.Stats(), source.Lags(), source.Describe()
}

// Elsewhere reports that no site has another owner: one daemon handles all sites.
func (d *alone) Elsewhere(context.Context, string) (admin.Owner, bool) { return admin.Owner{}, false }

// Ready reports whether rules are current, and whether the state and the rules can be written.
func (d *alone) Ready() error {
	s := &d.loop.State().Status
	if err := s.Failing.Err(); err != nil {
		return err
	}
	if !s.CaughtUp {
		return errors.New("catching up with the logs")
	}
	return unread(d.source.Load())
}

// Healthy reports whether the daemon can go on without help.
func (d *alone) Healthy() error { return healthy(d.loop.Stalled(), ": does a disk hang?") }

// errAlone is why a process alone has no members.
var errAlone = errors.New("this daemon is not in a group")

// Members returns an error: one process handles all sites.
func (d *alone) Members(context.Context) ([]kafka.GroupMember, error) { return nil, errAlone }

// Revision changes with the state of the daemon.
func (d *alone) Revision() int64 { return d.loop.State().Revision }
