package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/window/evidence"
	"dustbuster/sinks/admin"
	"dustbuster/stream/agent"
	"dustbuster/stream/files"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/topics"

	"github.com/dchest/siphash"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
)

const agentLong = `agent reads access logs and writes observations to Kafka: the URLs and the sizes of
their pages. Miners (dustbuster run --brokers) find rules in the observations.

The lines come from logs on this machine (--tail), or from Kafka topics that log
shippers write (--lines-topic). With topics, several agents share the work. An agent
sends only what is new about a URL.

A line counts as read when Kafka has acknowledged its observation. So no line is lost
if an agent crashes, except lines of pipes, which can be read only once.

With --once, agent sends finished logs, any FILE that mine reads, into the topic
once.observations, and ends. With --state, the next run continues an interrupted one.`

const agentExamples = `  dustbuster agent --brokers kafka-1:9092 --tail /var/log/nginx/access.log
  dustbuster agent --brokers kafka-1:9092,kafka-2:9092 --lines-topic access-logs
  dustbuster agent --brokers kafka-1:9092 --once --state DIR /backup/logs`

var (
	errNoLines   = errors.New("nothing to read: give --tail PATH or --lines-topic TOPIC, or a configuration file with read.inputs or kafka.lines")
	errTwoInputs = errors.New("--tail and --lines-topic do not go together: start one agent for each")
)

func newAgentCommand() *cobra.Command {
	flags := config.NewFlags(config.Defaults())
	once := false
	cmd := &cobra.Command{
		Use:     "agent [FILE] | agent --once FILE...",
		Short:   "send access logs to Kafka, for miners",
		Long:    agentLong,
		Example: agentExamples,
		Args: func(cmd *cobra.Command, args []string) error {
			if once {
				return cli.SomeFiles(cmd, args)
			}
			return cli.OneFile(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, run := append(args, "")[0], RunAgent
			if once {
				file, run = "", sendOnce(args)
			}
			o := Options{Stdin: cmd.InOrStdin(), Load: func() (config.Config, error) { return cli.LoadConfig(cmd, file, flags) }}
			return cli.Mistake(cmd, run(cmd.Context(), o, cmd.ErrOrStderr()), cli.ErrNoBrokers, errNoLines, errTwoInputs, errOnceInputs)
		},
	}
	sections := agentSections(flags)
	sections[0].Flags.BoolVar(&once, "once", false, "send the finished logs that the arguments name, and end")
	cli.UseSections(cmd, sections, "brokers", "tail", "lines-topic", "once", "format", "site", "hosts", "state", "consumer-group", "topic-prefix", "admin-listen")
	return cmd
}

// RunAgent is the agent, until ctx ends. Its log goes to stderr.
func RunAgent(ctx context.Context, o Options, stderr io.Writer) error {
	c, err := o.Load()
	switch {
	case err != nil:
		return err
	case len(c.Kafka.Brokers) == 0:
		return cli.ErrNoBrokers
	case len(c.Read.Inputs) == 0 && len(c.Kafka.Topics.Lines) == 0:
		return errNoLines
	case len(c.Read.Inputs) > 0 && len(c.Kafka.Topics.Lines) > 0:
		return errTwoInputs
	case len(c.Read.Inputs) > 0 && windows:
		return errWindows
	}
	log, _ := cli.NewLogger(&c, stderr)
	return cli.Ended(ctx, (&courier{config: &c, log: log, inputs: newCarrier(o.Stdin, log)}).run(ctx))
}

// agentSections are the flags of an agent, as shown.
func agentSections(flags *config.Flags) []config.Section {
	return flags.Sections("read", "site", "kafka "+cli.Cluster+" group session_timeout settings_changed lines topic_prefix observations rules dead_letters", "keep state", "write withhold log_level log_format",
		"admin -report_token_file -allow_origin", "pace checkpoint_interval shutdown_timeout")
}

// linger is how long an agent gathers few lines before sending them. On a real log, a
// minute instead of a second makes less than half of the bytes (docs/bench.md), but delays
// events by as much.
const linger = time.Second

// agentsGroup is the consumer group of agents if none is named.
const agentsGroup = "dustbuster-agent"

// courier is a running agent.
type courier struct {
	config *config.Config
	listen admin.Options
	log    *zap.Logger
	inputs *inputs
	key    [2]uint64
	logs   *files.Reader // finished logs; nil: lines go on coming
	files  *agent.Files  // of them, once it is open
	whole  int           // of them, sent by runs before
	agent  *agent.Agent
	tails  atomic.Pointer[agent.Tails]  // nil: topics are read
	topics atomic.Pointer[agent.Topics] // of the present generation; nil: no generation
	group  *kafka.Group                 // of the readers of topics
	watch  *topics.Watch
	failed atomic.Pointer[error] // the last of writes that are retried; nil: none
	away   atomic.Int64          // since when no broker answers, Unix seconds; 0: one answers
}

// run is the agent from its start to its end.
func (r *courier) run(ctx context.Context) (err error) {
	c := r.config
	cli.LimitMemory(c.Keep.Memory)
	c.Read.MaxURLBytes = min(c.Read.MaxURLBytes, evidence.MaxURL)
	var ok bool
	if r.key, ok = c.Key(); !ok {
		return cli.ErrNoKey
	}
	if r.listen, err = c.Listener(); err != nil {
		return err
	}
	cluster, err := cli.OpenCluster(ctx, c, r.retried)
	if err != nil {
		return err
	}
	defer cluster.Close()
	facts, err := cli.CheckTopics(ctx, c, cluster, topics.Agent, r.log)
	if err != nil {
		return err
	}
	watch, unwatch := cli.WatchTopics(c, cluster, topics.Agent, facts, r.log)
	defer unwatch()
	r.watch = watch
	o := r.options(facts)
	r.log.Info("settings that all agents and miners must share", zap.Stringer("settings", o.Head))
	if r.agent, err = agent.New(o, cluster); err != nil {
		return err
	}
	told := ctx
	ctx, unpin := agent.Pin(ctx, o.Topic, o.Partitions, r.counter(ctx, cluster), r.added)
	defer func() {
		err = errors.Join(unpin(), err)
		s := r.agent.Status()
		if r.logs != nil {
			_ = r.log.Sync() // the counted lines; not every standard error can be synced
			return
		}
		logEnd(told, r.log, err, zap.Int("lines", s.Counts.Lines), zap.Int("observations", s.Sent.Observations), zap.Int("errors", s.Errors.All()), zap.Time("committed", s.Committed))
	}()
	switch {
	case r.logs != nil:
		return r.send(ctx, cluster)
	case len(c.Read.Inputs) > 0:
		return r.follow(ctx)
	}
	return r.join(ctx, cluster)
}

// retried logs an error of what is tried again.
func (r *courier) retried(err error) {
	r.failed.Store(&err)
	r.log.Error("Kafka unavailable, retrying", cli.Retried(err))
}

// counter returns a function that counts the partitions of the topic of observations. The
// function also notes when the topic has been made again.
func (r *courier) counter(ctx context.Context, cluster *kafka.Cluster) func(context.Context, string) (int, error) {
	id, err := cluster.ID(ctx, r.config.Kafka.Topics.Observations)
	if err != nil {
		r.log.Warn("cannot read the id of the topic of observations", cli.Cause(err))
	}
	return func(ctx context.Context, topic string) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, answerWithin)
		defer cancel()
		n, err := cluster.Partitions(ctx, topic)
		if err != nil && !errors.Is(err, kafka.ErrNoTopic) {
			r.away.CompareAndSwap(0, time.Now().Unix())
			return n, err
		}
		if r.away.Store(0); err != nil {
			return n, err
		}
		now, err := cluster.ID(ctx, topic)
		if err == nil && now.Another(id) {
			r.log.Error("the topic of observations was recreated: its observations are lost until new lines bring them again", zap.String("topic", topic))
			r.agent.Recreated()
		}
		if now != (kafka.TopicID{}) {
			id = now
		}
		return n, err
	}
}

const (
	answerWithin = 5 * time.Second  // for brokers to answer how many partitions there are
	writeWithin  = 15 * time.Second // for observations to be acknowledged, and for a broker to answer at all
)

// writes returns why the agent cannot write; nil if it can, as far as known.
func (r *courier) writes(s *agent.Status) error {
	if since := s.Unsent; !since.IsZero() && time.Since(since) > writeWithin {
		why := errors.New("the brokers do not answer")
		if last := r.failed.Load(); last != nil {
			why = *last
		}
		return fmt.Errorf("no acknowledgement from Kafka for %v, so no lines are read: %w", time.Since(since).Round(time.Second), why) //nolint:staticcheck // a name
	}
	if s.Uncommitted != "" {
		return fmt.Errorf("cannot save how far lines were read: %s", s.Uncommitted)
	}
	if at := r.away.Load(); at > 0 && time.Since(time.Unix(at, 0)) > writeWithin-answerWithin {
		return fmt.Errorf("no broker has answered since %v", time.Unix(at, 0).UTC().Format(time.RFC3339))
	}
	return nil
}

// added notes partitions that were added to the topic of observations, and logs their number
// once.
func (r *courier) added(partitions int) {
	if r.agent.Added(partitions) && partitions > 0 {
		r.log.Error(cli.PartitionsAdded, zap.String("topic", r.config.Kafka.Topics.Observations), zap.Int("added", partitions))
	}
}

func (r *courier) options(facts topics.Facts) agent.Options {
	c, t := r.config, &r.config.Kafka.Topics
	o := agent.Options{
		Head:  c.Head(r.key),
		Topic: t.Observations, Partitions: facts.Topics[t.Observations].Partitions,
		DeadLetters: t.DeadLetters, DeadLetterPartitions: facts.Topics[t.DeadLetters].Partitions,
		Mask: func(line []byte) []byte { return []byte(cli.Masked(string(line), c.Veil())) }, Malformed: cli.MalformedLines(r.log, c.Veil()),
		Linger: linger, Commit: c.Pace.CheckpointInterval, FlushTimeout: c.Pace.ShutdownTimeout, MaxClockSkew: loop.ClockSkew(c.Read.Window),
		Failed: func(doing string, err error) { r.log.Error("cannot "+doing, cli.Retried(err)) },
	}
	if r.logs != nil { // a file is not read again, and without a window a line may be of any time
		o.MaxClockSkew = 0
		o.Failed = func(doing string, err error) { r.log.Error("cannot "+doing, cli.Cause(err)) }
	}
	if len(t.Lines) > 0 { // within the time for releasing partitions, which is half of a session
		o.FlushTimeout = min(o.FlushTimeout, c.Kafka.SessionTimeout/4)
	}
	return o
}

// follow follows logs until ctx ends.
func (r *courier) follow(ctx context.Context) error {
	c := r.config
	// Open refuses the state directory of a run, which holds more than positions.
	store, err := journal.Open(journal.Options{Dir: c.Keep.State, Pane: paneLength(c), Key: siphash.Hash(r.key[0], r.key[1], []byte("positions of an agent"))})
	if err != nil {
		return err
	}
	defer store.Close()
	r.inputs.malformed = r.agent.Malformed
	tails, err := agent.OpenTails(store, func(saved loop.Saved) (*loop.Inputs, error) {
		return r.inputs.open(c, saved, r.key)
	})
	if err != nil {
		return err
	}
	r.tails.Store(tails)
	unserve, err := r.serve("following logs", zap.Int("inputs", len(c.Read.Inputs)), zap.String("state", c.Keep.State))
	if err != nil {
		return errors.Join(err, tails.Close())
	}
	defer unserve()
	reading, stop := context.WithCancel(ctx)
	err = r.agent.Run(reading, tails)
	stop()
	return errors.Join(err, tails.Close())
}

// join reads topics as a member of a group, until ctx ends.
func (r *courier) join(ctx context.Context, cluster *kafka.Cluster) (err error) {
	c := r.config
	name := cmp.Or(c.Kafka.Group, agentsGroup)
	r.group, err = cluster.Join(ctx, kafka.GroupOptions{Group: name, Topics: c.Kafka.Topics.Lines, Session: c.Kafka.SessionTimeout, OnError: r.retried})
	if err != nil {
		return err
	}
	defer r.group.Close()
	o := agent.TopicsOptions{MaxLine: c.Read.MaxLine, Records: c.Records(config.Input{}, r.key), OnError: r.retried,
		Lost: func(path string, offsets int64, why error) {
			r.agent.Lost(offsets)
			r.log.Error("lines are lost: they were deleted before they were read, or cannot be read", zap.String("partition", path), zap.Int64("offsets", offsets), cli.Cause(why))
		}}
	o.Records.Live, o.Records.Malformed, o.Records.Agentless = true, r.agent.Malformed, agentless(c, r.inputs.carries, r.log)
	o.Records.DeadLetters = c.Kafka.Topics.DeadLetters != ""
	watchLines(&o.Records, r.log)
	unserve, err := r.serve("reading topics", zap.Strings("topics", c.Kafka.Topics.Lines), zap.String("group", name))
	if err != nil {
		return err
	}
	defer unserve()
	return r.agent.RunGroup(ctx, r.group, func(ctx context.Context, g *kafka.Generation) (agent.Lines, error) {
		r.watch.Again()
		r.log.Info("partitions assigned", zap.Int32("generation", g.ID), zap.Any("partitions", g.Numbers()))
		topics, err := agent.OpenTopics(ctx, cluster, g, o)
		r.topics.Store(topics)
		return topics, err
	})
}

// serve answers on the agent's admin listener, if one is configured.
func (r *courier) serve(doing string, fields ...zap.Field) (stop func(), err error) {
	stop, err = serve(r.listen, func(o admin.Options) (*admin.Server, error) { return admin.OpenAgent(o, r) }, r.log)
	if err != nil {
		return nil, err
	}
	ready(r.log)
	r.log.Info(doing, fields...)
	return stop, nil
}

// look returns the state of the agent.
func (r *courier) look() *agentOverview {
	o := &agentOverview{version: cli.Version(), agent: r.agent.Status(), inputs: r.described()}
	if tails := r.tails.Load(); tails != nil {
		o.tail, o.lags = tails.Stats(), tails.Lags()
	}
	if topics := r.topics.Load(); topics != nil {
		o.lag, o.hanging = topics.Lag(), topics.Hanging()
	}
	return o
}

// Status returns the status document of the agent.
func (r *courier) Status(int) any { return r.look().json() }

// Metrics returns the metrics of the agent.
func (r *courier) Metrics() []metric.Metric { return r.look().metrics() }

// Inputs describes the inputs of the agent.
func (r *courier) Inputs() []input.State { return maskedInputs(r.described(), r.config.Veil()) }

// described returns the states of followed logs or of assigned partitions.
func (r *courier) described() []input.State {
	if tails := r.tails.Load(); tails != nil {
		return tails.Describe()
	}
	if topics := r.topics.Load(); topics != nil {
		return topics.Inputs()
	}
	return nil
}

// Ready reports whether lines are being read, and all partitions of the observations are served.
func (r *courier) Ready() error {
	tails, topics, s := r.tails.Load(), r.topics.Load(), r.agent.Status()
	if err := r.writes(&s); err != nil {
		return err
	}
	switch {
	case s.Unserved > 0:
		return fmt.Errorf("topic %q: %d %s", r.config.Kafka.Topics.Observations, s.Unserved, cli.PartitionsAdded)
	case r.logs != nil:
		return nil
	case tails != nil:
		return cmp.Or(unread(tails), r.watch.Err())
	case topics != nil:
		return cmp.Or(cli.Advised(topics.Ready(r.group.Coverage())), unreadable(topics.Unreadable()), r.watch.Err())
	}
	return errors.New("waiting for partitions of the group")
}

// Healthy reports whether the agent can go on without help.
func (r *courier) Healthy() error { return healthy(r.agent.Stalled(), ": does a disk hang?") }
