package daemon

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/sinks/admin"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
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

// awaitConfig waits for SIGHUP. Then it opens the event file anew and reads the
// configuration anew. It returns a valid configuration with changes, or nil when ctx
// ends. An invalid configuration is logged and dropped.
func (d *alone) awaitConfig(ctx context.Context, hangup <-chan os.Signal) *config.Config {
	for {
		select {
		case <-hangup:
			if d.out.file != nil {
				if err := d.out.file.Reopen(); err != nil {
					d.log.Error("cannot reopen events", cli.Cause(err))
				}
			}
			if err := d.audit.Reopen(); err != nil {
				d.log.Error("cannot reopen the audit file", cli.Cause(err))
			}
			c, err := d.newConfig()
			if err != nil {
				d.log.Error("cannot read the configuration again: the old one stays", cli.Cause(err))
			} else if c != nil {
				return c
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// newConfig reads the configuration and checks its settings; nil if nothing has changed.
func (d *alone) newConfig() (*config.Config, error) {
	c, err := d.Load()
	if err != nil {
		return nil, err
	}
	changed, err := config.Reloadable(*d.config.Load(), c)
	if err != nil {
		return nil, err
	}
	if len(c.Read.Inputs) == 0 {
		return nil, errNoInputs
	}
	if len(changed) == 0 {
		d.log.Info("configuration read again: no change")
		return nil, nil
	}
	if err := d.inputs.try(&c, d.key); err != nil {
		return nil, err
	}
	d.log.Info("configuration changed", zap.Strings("keys", changed))
	return &c, nil
}

// reload goes over to a configuration, after the loop has ended.
func (d *alone) reload(c *config.Config, old *loop.Inputs) error {
	positions, err := d.loop.Positions(old)
	if err != nil {
		return err
	}
	source, err := d.openInputs(c, positions)
	if err != nil {
		return err
	}
	if d.worker != nil {
		named, err := c.Ours(false)
		if err != nil {
			return err
		}
		d.worker.SetOurs(named)
	}
	d.inputs.keep(c)
	d.config.Store(c)
	d.source.Store(source)
	d.level.SetLevel(cli.LevelOf(c))
	d.loop.SetPace(pace(c))
	if d.out.file != nil {
		d.out.file.SetLimits(int64(c.Write.EventsMaxSize), c.Write.EventsKeep)
	}
	return nil
}
