package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/stream/kafka"
	"dustbuster/stream/topics"

	"github.com/spf13/cobra"
)

const topicsLong = `topics creates and checks the Kafka topics that agents, miners and subscribers use:
the settings of each topic, the retention of observations, which depends on --window,
and the numbers of partitions. docs/kafka.md gives the reasons and the permissions
that are needed.`

const topicsCheckExamples = `  dustbuster topics check --brokers kafka-1.example.org:9092
  dustbuster topics check --output json /etc/dustbuster.yml
  dustbuster topics check --brokers kafka-1:9092 --window 72h --partitions 24`

const topicsCreateExamples = `  dustbuster topics create --dry-run --brokers kafka-1.example.org:9092
  dustbuster topics create --partitions 24 --replicas 3 /etc/dustbuster.yml`

const topicsCreateLong = `create creates the topics that are missing, and corrects the settings of those that
exist. It deletes nothing. It never changes the number of partitions of a topic that
has records, because sites would move to other partitions and lose their owner.
Problems that create cannot solve are reported as check reports them.`

// brokersTime is how long brokers may take altogether.
const brokersTime = 2 * time.Minute

var errTopics = errors.New("the topics need changes")

func newTopicsCommand() *cobra.Command {
	return cli.Parent("topics", "create and check the Kafka topics", topicsLong, newTopicsCreateCommand(), newTopicsCheckCommand())
}

// topicsCommand is one run of topics create or topics check.
type topicsCommand struct {
	create     bool
	shared     *config.Flags
	output     string
	partitions int
	replicas   int
	dryRun     bool
}

func newTopicsCheckCommand() *cobra.Command {
	t := &topicsCommand{}
	return t.command(&cobra.Command{
		Use:     "check [FILE]",
		Short:   "report problems of the topics, with exit code 1 if there are any",
		Example: topicsCheckExamples,
	}, "least number of partitions of the topic of observations. 0, the default, accepts any number", "brokers", "window", "partitions", "output")
}

func newTopicsCreateCommand() *cobra.Command {
	t := &topicsCommand{create: true}
	return t.command(&cobra.Command{
		Use:     "create [FILE]",
		Short:   "create missing topics and correct wrong settings",
		Long:    topicsCreateLong,
		Example: topicsCreateExamples,
	}, fmt.Sprintf("number of partitions of new topics, which is also the most miners that can share the work. 0, the default, takes the number of the topics that exist, or %d", topics.DefaultPartitions),
		"brokers", "window", "partitions", "replicas", "dry-run", "output")
}

// command gives a command its flags, of which few are those of the short help, and what it does.
func (t *topicsCommand) command(cmd *cobra.Command, partitions string, few ...string) *cobra.Command {
	t.shared = config.NewFlags(config.Defaults())
	kept, own := config.NewSection("What must be kept"), config.NewSection("What is done and printed")
	t.shared.Register(kept.Flags, "read.window", "read.pane")
	own.Flags.IntVar(&t.partitions, "partitions", 0, partitions)
	cli.OutputFlag(own.Flags, &t.output, "json is one object a line", "text", "json")
	if t.create {
		own.Flags.IntVar(&t.replicas, "replicas", 0, "number of replicas of new topics. 0, the default, takes three, or the number of brokers if there are fewer")
		own.Flags.BoolVar(&t.dryRun, "dry-run", false, "print the changes, and make none")
	}
	cmd.Args, cmd.RunE = cli.OneFile, t.run
	cli.UseSections(cmd, append(t.shared.Sections("kafka "+cli.Cluster+" topic_prefix observations rules events reports lines dead_letters"), kept, own), few...)
	return cmd
}

// run looks at the topics, makes the requested changes, and reports the remaining problems.
func (t *topicsCommand) run(cmd *cobra.Command, args []string) error {
	c, err := t.config(cmd, append(args, "")[0])
	if err != nil {
		return err
	}
	p := c.TopicPlan()
	p.Partitions, p.Replicas = t.partitions, t.replicas
	ctx, cancel := context.WithTimeout(cmd.Context(), brokersTime)
	defer cancel()
	cluster, err := cli.OpenCluster(ctx, &c, nil)
	if err != nil {
		return err
	}
	defer cluster.Close()
	facts, err := topics.Look(ctx, cluster, p)
	if err != nil {
		return err
	}
	report := &topicsReport{to: cmd.OutOrStdout(), json: t.output == "json"}
	if t.create {
		if facts, err = t.mend(ctx, cluster, p, facts, report); err != nil {
			return errors.Join(err, report.err)
		}
	}
	report.all(p, facts)
	return report.result()
}

// mend makes the possible changes.
func (t *topicsCommand) mend(ctx context.Context, c *kafka.Cluster, p topics.Plan, f topics.Facts, r *topicsReport) (topics.Facts, error) {
	steps := topics.Steps(p, f)
	for _, s := range steps {
		if !t.dryRun {
			if err := topics.Do(ctx, c, s); err != nil && !errors.Is(err, kafka.ErrExists) { // another process may make them, too
				return f, err
			}
		}
		r.step(s, !t.dryRun)
	}
	if t.dryRun || len(steps) == 0 {
		return topics.After(f, steps), nil
	}
	return topics.Settled(ctx, c, p)
}

func (t *topicsCommand) config(cmd *cobra.Command, path string) (config.Config, error) {
	c, err := cli.LoadConfig(cmd, path, t.shared)
	switch {
	case err != nil:
		return c, err
	case len(c.Kafka.Brokers) == 0:
		return c, cli.Usage(cmd, cli.ErrNoBrokers)
	case t.partitions < 0 || t.partitions > 10_000:
		return c, cli.Usage(cmd, fmt.Errorf("read flags: --partitions must be 0 to 10,000, got %d", t.partitions))
	case t.replicas < 0 || t.replicas > 100:
		return c, cli.Usage(cmd, fmt.Errorf("read flags: --replicas must be 0 to 100, got %d", t.replicas))
	}
	cli.SayStrangers(cmd.ErrOrStderr(), &c)
	return c, nil
}
