// Package daemon has the programs that run until they are stopped, and the commands around them: run,
// alone or as a member of a group of miners, agent, status, topics and config.
package daemon

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/read/lists"
	"dustbuster/sinks/audit"
	"dustbuster/sinks/file"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/job"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"

	"github.com/dchest/siphash"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
)

const runLong = `run follows access logs as they grow and rotate, and keeps a file of the rules that say
which URLs show the same page. Its dashboard is at http://127.0.0.1:9464/. The state is
in a directory, so run continues after a restart or a crash.

With --origin or --fetch-scheme, run tests rules on your site, and the file holds the
confirmed rules only. Without these flags it holds suggested rules.

With --brokers, run is a miner: one member of a group that reads the observations of
dustbuster agent from Kafka and publishes rules to a topic. A miner keeps no files.`

const runExamples = `  dustbuster run --tail /var/log/nginx/access.log --origin http://127.0.0.1
  journalctl -f -o cat -u nginx | dustbuster run --tail -
  dustbuster run --brokers kafka-1:9092 --fetch-scheme https --hosts example.org
  dustbuster run /etc/dustbuster.yml`

var errDryMiner = errors.New("--dry-run and --brokers do not go together: dustbuster validate --dry-run LOG shows what would be fetched for a log")

var errNoInputs = errors.New("nothing to follow: give --tail PATH, --brokers HOST:PORT, or a configuration file with read.inputs")

// Commands returns the commands of daemons: those that run one, ask one, or prepare for one.
// disk is how the journal of run is kept.
func Commands(disk journal.Options) []cli.Command {
	return []cli.Command{{Name: "run", New: func() *cobra.Command { return newRunCommand(disk) }}, {Name: "agent", New: newAgentCommand},
		{Name: "status", New: newStatusCommand}, {Name: "topics", New: newTopicsCommand}, {Name: "config", New: newConfigCommand}}
}

func newRunCommand(disk journal.Options) *cobra.Command {
	flags := config.NewFlags(config.Defaults())
	cmd := &cobra.Command{
		Use:     "run [FILE]",
		Short:   "follow logs, test rules, and keep the list current",
		Long:    runLong,
		Example: runExamples,
		Args:    cli.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := Options{Stdin: cmd.InOrStdin(), Disk: disk,
				Load: func() (config.Config, error) { return cli.LoadConfig(cmd, append(args, "")[0], flags) }}
			err := Run(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
			return cli.Mistake(cmd, err, errInputsAndBrokers, errDryMiner, errNoInputs)
		},
	}
	cli.UseSections(cmd, daemonSections(flags), fewOfRun...)
	return cmd
}

// fewOfRun are the flags in the short help of run.
var fewOfRun = []string{"tail", "origin", "state", "rules", "site", "hosts", "format", "window", "fetch-delay", "fetch-budget", "admin-listen", "brokers"}

// Options are how a daemon or an agent runs.
type Options struct {
	Load  func() (config.Config, error) // reads the settings: at the start, and a daemon's again at SIGHUP
	Stdin io.Reader
	Disk  journal.Options // how a daemon's journal is kept; tests give a disk that fails
	Fresh time.Duration   // between two windows that a site's trials get; 0: as prober.Options has it
}

// Run is the daemon, until ctx ends: it follows logs, or is a member of a group of miners. For a dry
// run it prints the plan. Rules and events may go to stdout, and its log goes to stderr.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	p, err := newProcess(o, stderr)
	if err != nil {
		return err
	}
	c := p.config.Load()
	d := &alone{process: p, inputs: newInputs(o.Stdin, p.log)}
	switch brokers := len(c.Kafka.Brokers) > 0; {
	case brokers && len(c.Read.Inputs) > 0:
		return errInputsAndBrokers
	case brokers && c.Validate.DryRun != "":
		return errDryMiner
	case brokers:
		return cli.Ended(ctx, (&member{process: p}).mine(ctx))
	case len(c.Read.Inputs) == 0:
		return errNoInputs
	case windows:
		return errWindows
	case c.Validate.DryRun != "":
		return d.dryRun(ctx, stdout, stderr)
	}
	return d.follow(ctx, stdout)
}

// newProcess returns the common part of a daemon, with settings, a log and the lists of parameters.
func newProcess(o Options, stderr io.Writer) (p *process, err error) {
	c, err := o.Load()
	if err != nil {
		return nil, err
	}
	p = &process{Options: o, memory: cli.LimitMemory(c.Keep.Memory)}
	p.log, p.level = cli.NewLogger(&c, stderr)
	p.config.Store(&c)
	say := func(said string) { p.log.Warn(said) }
	if p.lists, err = cli.ReadLists(c.Rule.Lists, say); err != nil {
		return nil, err
	}
	p.labels, err = cli.ReadLabels(&c, c.Admit(config.Input{}, p.key), say)
	return p, err
}

// process has what a daemon needs alone and as a member of a group: settings, log, and what trials share.
type process struct {
	Options
	config atomic.Pointer[config.Config]
	key    [2]uint64
	lists  *lists.List      // nil: none
	labels *labelled.Labels // nil: none
	memory int64            // limit of the process in bytes; 0: no limit
	log    *zap.Logger
	level  zap.AtomicLevel

	fetcher  *fetch.Fetcher // nil: rules are not tried
	audit    *audit.File    // nil: none
	verdicts prober.Verdicts
	refused  *trials.Refusals
}

// follow is the daemon, from its start to its end.
func (d *alone) follow(ctx context.Context, stdout io.Writer) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // at once: it would end a daemon that restores its state
	defer signal.Stop(hangup)
	c := d.config.Load()
	listen, err := c.Listener()
	if err != nil {
		return err
	}
	store, err := d.openState()
	if err != nil {
		return err
	}
	defer store.Close()
	if found := store.Found(); found.Torn > 0 {
		d.log.Warn("removed an incomplete end of the journal, left by a crash", zap.Int64("bytes", found.Torn), zap.String("why", found.Why))
	}
	if d.out, err = openSinks(c, stdout, d.log); err != nil {
		return err
	}
	defer d.out.Close()
	worker, err := d.newWorker()
	if err != nil {
		return err
	}
	defer d.closeAudit()
	d.loop = loop.New(d.loopOptions(worker), checkpoint.Journal{Journal: store}, d.out.rules, d.out.events)
	positions, err := d.loop.Restore()
	if err != nil {
		return err
	}
	if r := d.loop.Restored(); r != (loop.Restored{}) {
		d.log.Info("state restored", zap.Int("sites", r.Sites), zap.Int("observations", r.Observations), zap.Int("published_rules", r.Rules))
	}
	source, err := d.openInputs(c, positions)
	if err != nil {
		return err
	}
	d.source.Store(source)
	unserve, err := d.serve(listen, d)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	defer unserve()
	ready(d.log)
	d.log.Info("following logs", zap.Int("inputs", len(c.Read.Inputs)), zap.String("state", c.Keep.State), zap.String("rules", c.RulesFile()))
	err = d.run(ctx, hangup)
	logHints(d)
	d.logEnd(ctx, err)
	return err
}

// logEnd logs how the daemon has ended, and when its state was saved last.
func (d *alone) logEnd(ctx context.Context, err error) {
	s := d.loop.State().Status
	saved := zap.Skip() // nothing was to be saved
	if !s.Saved.IsZero() {
		saved = zap.Time("saved", s.Saved)
	}
	logEnd(ctx, d.log, err, zap.Int("lines", s.Counts.Lines), zap.Int("errors", s.Errors.All()), saved)
}

// logEnd logs how a program has ended: as it was told to, or by an error.
func logEnd(ctx context.Context, log *zap.Logger, err error, fields ...zap.Field) {
	_ = log.Sync() // the counted lines; not every standard error can be synced
	switch {
	case cli.Ended(ctx, err) != nil:
		log.Error("stopped by an error", append(fields, cli.Cause(err))...)
	case ctx.Err() != nil:
		log.Info("stopped by signal", fields...)
	default:
		log.Info("stopped: no more input", fields...)
	}
}

// openState finds the deployment's key and opens the journal.
func (d *alone) openState() (*journal.Journal, error) {
	c := d.config.Load()
	var err error
	if d.key, err = deploymentKey(c); err != nil {
		return nil, err
	}
	o := d.Disk
	o.Dir, o.Pane, o.Key = c.Keep.State, paneLength(c), siphash.Hash(d.key[0], d.key[1], []byte("journal"))
	return journal.Open(o)
}

// run runs the loop until ctx ends. At each new configuration it ends the loop and runs
// it again, with the new inputs. The table stays.
func (d *alone) run(ctx context.Context, hangup <-chan os.Signal) error {
	for {
		source := d.source.Load()
		running, stop := context.WithCancel(ctx)
		next := make(chan *config.Config, 1)
		go func() {
			next <- d.awaitConfig(running, hangup)
			stop()
		}()
		err := d.loop.Run(running, source)
		stop()
		c := <-next
		if c == nil && d.worker != nil { // save the acts of trials that ended meanwhile, too
			d.worker.Close()
			err = errors.Join(err, d.loop.Save(source))
		}
		if err = errors.Join(err, source.Close()); c == nil {
			return err
		}
		if err != nil { // the loop goes on, and saves later
			d.log.Error("cannot close the old inputs", cli.Cause(err))
		}
		if err := d.reload(c, source); err != nil {
			return err
		}
	}
}

// paneLength is the length of the journal's panes: the endless pane has no length.
func paneLength(c *config.Config) int64 {
	if c.Read.Window == 0 {
		return 0
	}
	return int64(c.Read.Pane.Seconds())
}

func (d *process) loopOptions(worker *prober.Worker) loop.Options {
	c := d.config.Load()
	mined := c.Miner(d.key)
	mined.Lists, mined.Labels = d.lists, d.labels
	return loop.Options{
		Validate: worker,
		Miner:    mined, MaxSites: cli.MostSites(c.Keep.MaxSites, cli.TableBytes(d.memory, d.fetcher != nil)), Pace: pace(c),
		Memory: tableBudget(d.memory, d.fetcher != nil), LookURLs: lookURLs(d.memory), Jobs: job.NewQueue(), Shed: reportShed(d.log), Hidden: reportHidden(d.log), Late: reportLate(d.log),
		MaxClockSkew: loop.ClockSkew(c.Read.Window), NoWithhold: !c.Write.Withhold,
		Failed: func(doing string, err error) { d.log.Error("cannot "+doing, cli.Retried(err)) },
	}
}

func pace(c *config.Config) loop.Pace {
	return loop.Pace{Refine: c.Pace.RefineInterval, Learn: c.Pace.LearnInterval, Checkpoint: c.Pace.CheckpointInterval, FlushTimeout: c.Pace.ShutdownTimeout}
}

// openInputs opens the logs at the positions in the state.
func (d *alone) openInputs(c *config.Config, positions []byte) (*loop.Inputs, error) {
	saved, err := loop.DecodePositions(positions)
	if err != nil {
		return nil, err
	}
	return d.inputs.open(c, saved, d.key)
}

// deploymentKey returns the key of the hashes of URLs and clients: the configured key, or a
// key drawn at the first start and kept in the state directory.
func deploymentKey(c *config.Config) ([2]uint64, error) {
	if key, ok := c.Key(); ok {
		return key, nil
	}
	path := filepath.Join(c.Keep.State, "key")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = newKey(path)
	}
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w\nlet this user write to the directory, or name another with --state", err)
		}
		return [2]uint64{}, fmt.Errorf("open state %s: %w", c.Keep.State, err)
	}
	if len(b) != 16 {
		return [2]uint64{}, fmt.Errorf("read key: %s has %d bytes, want 16\nwithout it the state cannot be read: restore it, or start again with another --state", path, len(b))
	}
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, nil
}

func newKey(path string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	f, err := os.CreateTemp(filepath.Dir(path), "key")
	if err != nil {
		return nil, err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return b, os.Rename(f.Name(), path)
}

// sinks are where a daemon's rules and events go.
type sinks struct {
	rules  loop.Publisher
	events loop.Emitter
	file   *file.Events // nil: events go to standard output
	closes []io.Closer
}

func openSinks(c *config.Config, stdout io.Writer, log *zap.Logger) (*sinks, error) {
	retry := file.Retry{Report: func(err error, again time.Duration) {
		log.Error("cannot report progress, retrying", cli.Retried(err), zap.Duration("in", again))
	}}
	stream := file.NewStream(stdout, retry)
	out := &sinks{rules: stream, events: stream, closes: []io.Closer{stream}}
	if path := c.RulesFile(); path != cli.StandardOutput {
		rules, err := file.NewRules(path, retry)
		if err != nil {
			return nil, err
		}
		out.rules, out.closes = rules, append(out.closes, rules)
	}
	if path := c.EventsFile(); path != cli.StandardOutput {
		events, err := file.OpenEvents(path, file.EventsOptions{MaxBytes: int64(c.Write.EventsMaxSize), Keep: c.Write.EventsKeep, Retry: retry})
		if err != nil {
			return nil, err
		}
		out.events, out.file, out.closes = events, events, append(out.closes, events)
	}
	return out, nil
}

func (s *sinks) Close() error {
	var errs []error
	for _, c := range s.closes {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
