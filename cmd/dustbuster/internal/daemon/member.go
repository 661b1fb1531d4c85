package daemon

import (
	"cmp"
	"context"
	"errors"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/sinks/admin"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/prober"
	"dustbuster/stream/topics"

	"go.uber.org/zap"
)

var errInputsAndBrokers = errors.New("--tail and --brokers do not go together: without Kafka use --tail alone, with Kafka use dustbuster agent --tail")

// minersGroup is the consumer group if none is named.
const minersGroup = "dustbuster"

// member is a process as a member of a consumer group.
type member struct {
	*process
	group *miners.Member
	watch *topics.Watch
}

// mine serves partitions of the topic of observations until ctx ends.
func (m *member) mine(ctx context.Context) error {
	c := m.config.Load()
	var ok bool
	if m.key, ok = c.Key(); !ok {
		return cli.ErrNoKey
	}
	listen, err := c.Listener()
	if err != nil {
		return err
	}
	cluster, err := cli.OpenCluster(ctx, c, nil)
	if err != nil {
		return err
	}
	defer cluster.Close()
	facts, err := cli.CheckTopics(ctx, c, cluster, topics.Miner, m.log)
	if err != nil {
		return err
	}
	trying, err := m.trying(func(site string) bool { return m.group.MayFetch(site) })
	if err != nil {
		return err
	}
	defer m.closeAudit()
	watch, unwatch := cli.WatchTopics(c, cluster, topics.Miner, facts, m.log)
	defer unwatch()
	m.watch = watch
	m.group = miners.New(m.options(cluster, facts, trying))
	unserve, err := m.serve(listen, m)
	if err != nil {
		return err
	}
	defer unserve()
	ready(m.log)
	m.log.Info("settings that all agents and miners must share", zap.Stringer("settings", c.Head(m.key)))
	m.log.Info("joining the group of miners", zap.Strings("brokers", c.Kafka.Brokers), zap.String("topic", c.Kafka.Topics.Observations))
	err = m.group.Run(ctx)
	logEnd(ctx, m.log, err)
	return err
}

func (m *member) options(cluster *kafka.Cluster, facts topics.Facts, trying *prober.Options) miners.Options {
	c := m.config.Load()
	names := &c.Kafka.Topics
	o := miners.Options{
		Cluster: cluster, Group: cmp.Or(c.Kafka.Group, minersGroup), Session: c.Kafka.SessionTimeout,
		Observations: names.Observations, Partitions: facts.Topics[names.Observations].Partitions, Rules: names.Rules, Events: names.Events, Reports: names.Reports,
		Head: c.Head(m.key), Limits: c.Limits(), Silence: 2 * c.Read.Window,
		Loop: m.loopOptions(nil), Validate: trying, Report: m.reportMember,
	}
	o.Loop.FlushTimeout = min(o.Loop.FlushTimeout, o.Session/4) // the group waits for half a session
	return o
}

// reportMember logs changes of the group and its partitions.
func (m *member) reportMember(r miners.Report) {
	partition := zap.Int("partition", r.Partition)
	if r.Partition < 0 {
		partition = zap.Skip()
	}
	switch r.Kind {
	case miners.Assigned, miners.Kept:
		m.watch.Again()
		m.log.Info("partition "+string(r.Kind), partition, zap.Int64("from", r.Count))
	case miners.Grown:
		m.log.Error(cli.PartitionsAdded, zap.String("topic", m.config.Load().Kafka.Topics.Observations), zap.Int64("partitions", r.Count))
	case miners.Revoked:
		m.log.Info("partition revoked", partition)
	case miners.Lost:
		m.log.Error("observations are lost: they were deleted before they were read, or cannot be read; dustbuster topics check looks at the retention", partition, zap.Int64("offsets", r.Count), cli.Cause(r.Err))
	case miners.Unlike:
		m.log.Error("observations of agents with other settings are skipped", partition, zap.Int64("observations", r.Count), cli.Retried(r.Err))
	case miners.Refused:
		m.log.Warn("a record is skipped", partition, zap.Int64("offset", r.Count), cli.Retried(r.Err))
	default:
		m.log.Error("cannot "+r.Doing, partition, cli.Retried(r.Err))
	}
}

func (m *member) known() (*loop.State, error) { return m.group.Known() }

func (m *member) workers() []*prober.Worker { return m.group.Workers() }

func (m *member) describe(o *overview) {
	o.partitions, o.unserved, o.inputs, o.group = m.group.Partitions(), new(m.group.Unserved()), m.group.Inputs(), m.group.Name()
}

// Elsewhere reports whether another member of the group owns a site.
func (m *member) Elsewhere(ctx context.Context, site string) (admin.Owner, bool) {
	owner, elsewhere := m.group.Elsewhere(ctx, site)
	return admin.Owner{Member: owner.ID, Host: owner.Host}, elsewhere
}

// Ready reports whether all owned partitions are current, and whether their rules can be written.
func (m *member) Ready() error {
	if err := m.group.Ready(); err != nil {
		return cli.Advised(err)
	}
	return cmp.Or(m.group.State().Status.Failing.Err(), m.watch.Err())
}

// Healthy reports whether the miner can go on without help.
func (m *member) Healthy() error { return healthy(m.group.Stalled(), "") }

// Members returns the members of the miner's group.
func (m *member) Members(ctx context.Context) ([]kafka.GroupMember, error) {
	return m.group.Members(ctx)
}

// Revision changes with the state of the miner.
func (m *member) Revision() int64 { return m.group.Revision() }
