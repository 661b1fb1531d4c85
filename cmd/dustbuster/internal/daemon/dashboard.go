package daemon

import (
	"context"
	"errors"

	"dustbuster/config"
	"dustbuster/sinks/admin"
	"dustbuster/sinks/dashboard"
	"dustbuster/stream/kafka"
)

// errAlone is why a daemon without brokers has no members.
var errAlone = errors.New("this daemon is not in a group")

// pages returns an overview for the pages.
func (o *overview) pages(rules admin.Rules, unready error) *dashboard.Look {
	return &dashboard.Look{Version: o.version, Loop: o.loop, Likely: rules.Likely, Trials: o.trials, Fetches: o.fetches, Partitions: o.partitions, Unready: unready}
}

// showSettings sets what the pages say about the settings.
func showSettings(look *dashboard.Look, c *config.Config) {
	look.Veil = c.Veil()
	if look.Trials.On {
		look.HoldShare = c.Validate.HoldShare
	}
}

// Look returns the state of the daemon for the pages.
func (d *daemon) Look() *dashboard.Look {
	look := d.look().pages(d.Rules(), d.Ready())
	look.Inputs = d.Inputs()
	showSettings(look, d.config.Load())
	return look
}

// Members returns an error: one daemon handles all sites.
func (d *daemon) Members(context.Context) ([]kafka.GroupMember, error) { return nil, errAlone }

// Revision changes with the state of the daemon.
func (d *daemon) Revision() int64 { return d.loop.State().Revision }

// Look returns the state of the miner for the pages.
func (m *member) Look() *dashboard.Look {
	look := m.look().pages(m.Rules(), m.Ready())
	look.Inputs, look.Group = m.Inputs(), m.group.Name()
	showSettings(look, m.config.Load())
	return look
}

// Members returns the members of the miner's group.
func (m *member) Members(ctx context.Context) ([]kafka.GroupMember, error) {
	return m.group.Members(ctx)
}

// Revision changes with the state of the miner.
func (m *member) Revision() int64 { return m.group.Revision() }
