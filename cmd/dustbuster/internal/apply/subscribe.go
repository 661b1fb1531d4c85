package apply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/sinks/file"
	"dustbuster/stream/rules"
	"dustbuster/stream/subscribe"
	"dustbuster/stream/topics"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
)

const subscribeLong = `subscribe reads the Kafka topic of rules and keeps a file of the published rules, for
crawlers and for dustbuster canon and export. The file is first written when the whole
topic has been read, and again whenever the rules of a site change. It always holds a
complete list, and stays as it is while no broker can be reached.

With --exec, sh runs a command after each change of the file, one command at a time.
The path of the file is in DUSTBUSTER_RULES. If the command fails, the failure is
logged, and the command runs again at the next change.`

const subscribeExamples = `  dustbuster subscribe --brokers kafka-1:9092 --rules /var/lib/crawler/r.jsonl
  dustbuster subscribe --brokers kafka-1:9092 --once --rules r.jsonl && crawl
  dustbuster subscribe --brokers kafka-1:9092 --rules r.jsonl --site a.example \
      --exec 'dustbuster export nginx --rules "$DUSTBUSTER_RULES" \
          > /etc/nginx/dust.conf && nginx -s reload'`

var (
	errNoRulesFile = errors.New("no output given: use --rules FILE, or --rules - with --once")
	errFollowsOut  = errors.New("--rules - needs --once and no --exec: to keep a list, name a file")
)

type subscribing struct {
	config *config.Config
	once   bool
	exec   string
	filter subscribe.Options // Only, Allow, Deny
	stdout io.Writer
	stderr io.Writer
	log    *zap.Logger
}

func newSubscribeCommand() *cobra.Command {
	s := &subscribing{}
	flags := config.NewFlags(config.Defaults())
	cmd := &cobra.Command{
		Use:     "subscribe [FILE]",
		Short:   "keep a file of the confirmed rules from Kafka",
		Long:    subscribeLong,
		Example: subscribeExamples,
		Args:    cli.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cli.LoadConfig(cmd, append(args, "")[0], flags)
			switch {
			case err != nil:
				return err
			case len(c.Kafka.Brokers) == 0:
				return cli.Usage(cmd, cli.ErrNoBrokers)
			case c.Write.Rules == "":
				return cli.Usage(cmd, errNoRulesFile)
			case c.Write.Rules == cli.StandardOutput && (!s.once || s.exec != ""):
				return cli.Usage(cmd, errFollowsOut)
			}
			if err := shellFor(s.exec); err != nil {
				return err
			}
			s.config, s.stdout, s.stderr = &c, cmd.OutOrStdout(), cmd.ErrOrStderr()
			s.log, _ = cli.NewLogger(&c, s.stderr)
			return s.run(cmd.Context())
		},
	}
	cli.UseSections(cmd, s.sections(flags))
	return cmd
}

func (s *subscribing) sections(flags *config.Flags) []config.Section {
	kept, runs, written := config.NewSection("What is kept"), config.NewSection("How it runs"), config.NewSection("What is written")
	own := kept.Flags
	flags.Register(own, "write.rules")
	own.Lookup("rules").Usage = "`file` for the rules. With --once, - is standard output"
	own.StringArrayVar(&s.filter.Only, "site", nil, "keep only rules of this `host`. May be repeated")
	own.StringArrayVar(&s.filter.Allow, "allow", nil, "keep only rules with this `site or id`. May be repeated")
	own.StringArrayVar(&s.filter.Deny, "deny", nil, "leave out rules with this `site or id`. May be repeated. Prefer to deny a whole site, since the rules of a site are tested together")
	runs.Flags.BoolVar(&s.once, "once", false, "write the file once, when the whole topic has been read, and end")
	runs.Flags.StringVar(&s.exec, "exec", "", "shell `command` to run after each change of the file")
	flags.Register(written.Flags, "write.log_level", "write.log_format")
	return append(flags.Sections("kafka "+cli.Cluster+" topic_prefix rules"), kept, runs, written)
}

// shellFor returns an error if a command is to be run, and this system has no shell.
func shellFor(command string) error {
	if command == "" {
		return nil
	}
	if _, err := exec.LookPath("sh"); err != nil {
		return fmt.Errorf("--exec: find a shell: %w", err)
	}
	return nil
}

// run follows the topic until ctx ends, or with once, until all is read.
func (s *subscribing) run(ctx context.Context) (err error) {
	var kept *file.Rules
	if s.config.Write.Rules != cli.StandardOutput {
		if kept, err = file.NewRules(s.config.Write.Rules, file.Retry{}); err != nil {
			return err
		}
	}
	cluster, err := cli.OpenCluster(ctx, s.config, nil)
	if err != nil {
		return err
	}
	defer cluster.Close()
	if _, err := cli.CheckTopics(ctx, s.config, cluster, topics.Subscriber, s.log); err != nil {
		return err
	}
	s.filter.Topic = s.config.Kafka.Topics.Rules
	s.filter.Failed = s.failed
	from := subscribe.Of(cluster, s.filter)
	defer from.Close()
	following, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- from.Run(following) }()
	err = s.keep(ctx, from, kept, ended)
	stop()
	_ = s.log.Sync() // the counted lines; not every standard error can be synced
	return cmp.Or(err, <-ended)
}

// failed logs a problem. What was skipped is not tried again, and is logged each time.
func (s *subscribing) failed(err error) {
	if errors.Is(err, rules.ErrNoHost) { // who reads the file names the host
		return
	}
	why := cli.Retried(err)
	if errors.Is(err, subscribe.ErrSkipped) {
		why = cli.Cause(err)
	}
	s.log.Warn("cannot follow the rules, retrying", why)
}

// late is the delay behind the topic that causes a warning, and the interval of the checks.
const late = time.Minute

// keep writes the rules whenever they change. An error received from ended is sent back as
// nil.
func (s *subscribing) keep(ctx context.Context, from *subscribe.Subscription, kept *file.Rules, ended chan error) error {
	show := cli.StartProgress(s.stderr, "reading rules", nil)
	select {
	case <-from.Ready():
		show.Stop()
	case err := <-ended:
		show.Stop()
		ended <- nil
		if err == nil {
			err = errors.New("interrupted before all rules were read; nothing was written")
		}
		return err
	}
	if kept == nil {
		return listOf(from.List()).Write(s.stdout)
	}
	look := time.NewTicker(late)
	defer look.Stop()
	for {
		select {
		case <-from.Changed():
			if err := s.write(ctx, from.List(), kept); err != nil || s.once {
				return err
			}
		case <-look.C:
			if at := from.Status(); at.Late > late {
				s.log.Warn("the rules are behind the topic", zap.Int64("records", at.Lag), zap.Duration("late", at.Late))
			}
		case err := <-ended:
			ended <- nil
			return err
		}
	}
}

// write puts a list in the file, and runs the command if the file's rules have changed.
func (s *subscribing) write(ctx context.Context, list *rules.List, kept *file.Rules) error {
	all := listOf(list)
	var text bytes.Buffer
	if err := all.Write(&text); err != nil {
		return err
	}
	before, err := os.ReadFile(s.config.Write.Rules)
	if err == nil && bytes.Equal(before, text.Bytes()) {
		s.log.Info("the file is up to date", zap.Int("rules", list.Len()), zap.Int("sites", len(list.Sites)))
		return nil
	}
	if err := kept.Publish(ctx, all); err != nil {
		return err
	}
	s.log.Info("rules written", zap.String("file", s.config.Write.Rules), zap.Int("rules", list.Len()), zap.Int("sites", len(list.Sites)))
	return s.command(ctx)
}

// commandEnds is the time for a command to end after the signal.
const commandEnds = 10 * time.Second

// command runs the command to run after a change. With --once, its failure is the
// program's.
func (s *subscribing) command(ctx context.Context) error {
	if s.exec == "" {
		return nil
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", s.exec)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_RULES="+s.config.Write.Rules)
	cmd.Stdout, cmd.Stderr = s.stderr, s.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = commandEnds
	err := cmd.Run()
	if err == nil {
		return nil
	}
	err = fmt.Errorf("run --exec: %w", err)
	if s.once {
		return err
	}
	s.log.Error("the command of --exec failed; it runs again at the next change", cli.Cause(err))
	return nil
}

// listOf returns a list in its written form.
func listOf(list *rules.List) (all jsonl.List) {
	for i := range list.Sites {
		for _, r := range list.Sites[i].Records {
			all = append(all, r)
		}
	}
	return all
}

// kafkaSource is how a topic is named where rules are read from.
const kafkaSource = "kafka://"

// subscribeOnce reads the rules of a topic: kafka://BROKER:PORT,.../TOPIC; the topic
// defaults to dust.rules. Other settings come from the environment, as for a daemon.
func subscribeOnce(ctx context.Context, source string, stderr io.Writer) (*rules.List, error) {
	c, err := config.Load("", os.Environ(), nil)
	if err != nil {
		return nil, err
	}
	cli.SayStrangers(stderr, &c)
	brokers, topic, _ := strings.Cut(strings.TrimPrefix(source, kafkaSource), "/")
	if brokers != "" {
		c.Kafka.Brokers = strings.Split(brokers, ",")
	}
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	s, err := subscribe.Open(ctx, o, subscribe.Options{Topic: cmp.Or(topic, c.Kafka.Topics.Rules),
		Failed: func(err error) { fmt.Fprintln(stderr, "dustbuster: read rules:", err) }})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case <-s.Ready():
		stop()
		return s.List(), <-ended
	case err := <-ended:
		stop()
		return nil, cmp.Or(err, context.Canceled)
	}
}
