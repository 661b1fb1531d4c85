package main

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
	"strings"
	"syscall"
	"time"

	"dustbuster/config"
	"dustbuster/sinks/file"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"github.com/dchest/siphash"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
)

const runLong = `run follows access logs as they grow, through every kind of rotation, and keeps
the rules of their sites current: the refined list in a file that is replaced
as a whole, and an event whenever a rule becomes likely or fades. What it has
learned is kept in a state directory; after a crash it goes on where it was.`

const runExamples = `  dustbuster run --tail /var/log/nginx/access.log
  dustbuster run --tail '/var/log/apache2/*access.log' --state /var/lib/dustbuster
  dustbuster run /etc/dustbuster.yml`

func newRunCommand() *cobra.Command {
	flags := config.NewFlags(config.Defaults())
	cmd := &cobra.Command{
		Use:     "run [FILE]",
		Short:   "follow logs and keep their rules current",
		Long:    runLong,
		Example: runExamples,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(cmd, append(args, "")[0], flags)
			if err != nil {
				return err
			}
			if len(c.Inputs) == 0 {
				return usage(cmd, errors.New("nothing to follow: give --tail PATH, or a configuration file with inputs"))
			}
			return follow(cmd.Context(), &c, cmd.OutOrStdout(), newLogger(&c, cmd.ErrOrStderr()))
		},
	}
	useSections(cmd, daemonSections(flags))
	return cmd
}

// follow is the daemon, from its start to its end.
func follow(ctx context.Context, c *config.Config, stdout io.Writer, log *zap.Logger) error {
	key, err := deploymentKey(c)
	if err != nil {
		return err
	}
	store, err := journal.Open(journal.Options{Dir: c.State, Pane: paneLength(c), Key: siphash.Hash(key[0], key[1], []byte("journal"))})
	if err != nil {
		return err
	}
	defer store.Close()
	if found := store.Found(); found.Torn > 0 {
		log.Warn("cut what a crash left at the end of the journal", zap.Int64("bytes", found.Torn), zap.String("why", found.Why))
	}
	out, err := openSinks(c, stdout, log)
	if err != nil {
		return err
	}
	defer out.Close()
	l := loop.New(loopOptions(c, key, log), store, out.rules, out.events)
	state, err := l.Restore()
	if err != nil {
		return err
	}
	source, err := openInputs(c, key, state, log)
	if err != nil {
		return err
	}
	unserve, err := serve(c, shown{l, source}, log)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	defer unserve()
	if err := notifyReady(); err != nil {
		log.Warn("cannot tell systemd", zap.Error(err))
	}
	log.Info("following logs", zap.Int("inputs", len(c.Inputs)), zap.String("state", c.State), zap.String("rules", c.RulesFile()))
	running, stop := context.WithCancel(ctx)
	defer stop()
	hangup := onHangup(running, out.reopen, log)
	err = l.Run(running, source)
	stop()
	<-hangup
	return errors.Join(err, source.Close())
}

// paneLength is the journal's: the endless pane has none.
func paneLength(c *config.Config) int64 {
	if c.Mining.Window == 0 {
		return 0
	}
	return int64(c.Mining.Pane.Seconds())
}

func loopOptions(c *config.Config, key [2]uint64, log *zap.Logger) loop.Options {
	return loop.Options{
		Miner: c.Miner(key), MaxSites: c.Mining.MaxSites,
		Refine: c.RefineInterval, Checkpoint: c.CheckpointInterval, LastWords: c.ShutdownTimeout,
		Ahead: loop.DefaultAhead, NoWithhold: !c.Withhold,
		Failed: func(doing string, err error) { log.Error("cannot "+doing, zap.Error(err)) },
	}
}

// openInputs opens the logs, to go on from where the state says.
func openInputs(c *config.Config, key [2]uint64, state []byte, log *zap.Logger) (*loop.Inputs, error) {
	saved, err := loop.DecodePositions(state)
	if err != nil {
		return nil, err
	}
	var inputs []loop.Input
	for _, in := range c.Inputs {
		name := strings.Join(in.Paths, " ")
		o := c.Tail(in)
		o.Audit = func(a tail.Audit) {
			log.Warn("log "+string(a.Kind), zap.String("file", a.Path), zap.Int64("bytes", a.Bytes), zap.Error(a.Err))
		}
		t, err := tail.Open(o, saved[name])
		if err != nil {
			return nil, &usageError{err}
		}
		ro := c.Records(in, key)
		ro.Live = true
		r, err := records.New(t, ro)
		if err != nil {
			return nil, &usageError{err}
		}
		inputs = append(inputs, loop.Input{Name: name, Tail: t, Records: r})
	}
	return loop.NewInputs(inputs), nil
}

// onHangup calls reopen at every SIGHUP until ctx ends; the channel is closed
// when it will not any more.
func onHangup(ctx context.Context, reopen func() error, log *zap.Logger) <-chan struct{} {
	hangup, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		defer close(done)
		defer signal.Stop(hangup)
		for {
			select {
			case <-hangup:
				if err := reopen(); err != nil {
					log.Error("cannot reopen events", zap.Error(err))
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return done
}

// deploymentKey is the key of the hashes of URLs and clients: as configured, or
// drawn at the first start and kept in the state directory.
func deploymentKey(c *config.Config) ([2]uint64, error) {
	if key, ok := c.Key(); ok {
		return key, nil
	}
	path := filepath.Join(c.State, "key")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = newKey(path)
	}
	if err != nil {
		return [2]uint64{}, fmt.Errorf("read key: %w", err)
	}
	if len(b) != 16 {
		return [2]uint64{}, fmt.Errorf("read key: %s has %d bytes, want 16\nwithout it the state cannot be read: restore it, or begin anew with another --state", path, len(b))
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
	reopen func() error // the event file
	closes []io.Closer
}

func openSinks(c *config.Config, stdout io.Writer, log *zap.Logger) (*sinks, error) {
	retry := file.Retry{Report: func(err error, again time.Duration) {
		log.Error("cannot tell, and will try again", zap.Error(err), zap.Duration("in", again))
	}}
	stream := file.NewStream(stdout, retry)
	out := &sinks{rules: stream, events: stream, reopen: func() error { return nil }, closes: []io.Closer{stream}}
	if path := c.RulesFile(); path != standardOutput {
		rules, err := file.NewRules(path, retry)
		if err != nil {
			return nil, err
		}
		out.rules, out.closes = rules, append(out.closes, rules)
	}
	if path := c.EventsFile(); path != standardOutput {
		events, err := file.OpenEvents(path, file.EventsOptions{MaxBytes: int64(c.Events.MaxSize), Keep: c.Events.Keep, Retry: retry})
		if err != nil {
			return nil, err
		}
		out.events, out.reopen, out.closes = events, events.Reopen, append(out.closes, events)
	}
	return out, nil
}

const standardOutput = "-"

func (s *sinks) Close() error {
	var errs []error
	for _, c := range s.closes {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
