package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"

	"go.uber.org/zap"
)

// dryRun prints the requests that the daemon would send now. It reads the logs as they
// are, on a copy of the state, and ends. It sends no request and changes no file.
func (d *alone) dryRun(ctx context.Context, stdout, stderr io.Writer) (err error) {
	c := *d.config.Load()
	dir, err := os.MkdirTemp("", "dustbuster")
	if err != nil {
		return fmt.Errorf("copy state: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyState(dir, c.Keep.State); err != nil {
		return fmt.Errorf("copy state: %w", err)
	}
	c.Keep.State = dir
	c.Read.Inputs = d.withoutPipes(c.Read.Inputs)
	d.config.Store(&c)
	store, err := d.openState()
	if err != nil {
		return err
	}
	defer store.Close()
	if _, err := d.newWorker(); err != nil {
		return err
	}
	if d.worker == nil {
		return cli.WrongUsage(errors.New("--dry-run: no server to test on: give --origin, --site-origin or --fetch-scheme"))
	}
	p := trials.NewPlanner(d.fetcher, d.worker, c.Veil())
	o := d.loopOptions(d.worker)
	o.Learn = 0 // the windows are looked at once, at the end
	reading, stop := context.WithCancel(ctx)
	defer stop()
	o.Live = stop
	d.loop = loop.New(o, checkpoint.Journal{Journal: store}, nowhere{}, nowhere{})
	if err := d.readOnce(reading, &c); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted before the logs were read")
	}
	d.loop.Look()
	d.loop.Sites(func(m *miner.Machine, rules []rule.Likely) {
		switch {
		case !d.worker.CanTry(m.Site()):
		case d.worker.MayBeOurs(m.Site()):
			p.Add(m, forms.Candidates(rules))
		case len(rules) > 0:
			d.log.Warn("nothing would be fetched from this site: if it is yours, name it with --hosts", zap.String("site", m.Site()))
		}
	})
	return p.Write(stdout, stderr, c.Validate.DryRun == "json")
}

// withoutPipes leaves out inputs that can be read only once. They are left to the daemon.
func (d *alone) withoutPipes(all []config.Input) (kept []config.Input) {
	for _, in := range all {
		in.Paths = slices.DeleteFunc(slices.Clone(in.Paths), func(path string) bool {
			piped, _ := isPipe(path)
			if piped {
				d.log.Warn("a dry run does not read from a pipe, since its lines would be lost", zap.String("path", path))
			}
			return piped
		})
		if len(in.Paths) > 0 {
			kept = append(kept, in)
		}
	}
	return kept
}

// copyState copies a daemon's state.
func copyState(to, from string) error {
	key, err := os.ReadFile(filepath.Join(from, "key"))
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := os.WriteFile(filepath.Join(to, "key"), key, 0o600); err != nil {
			return err
		}
	}
	return journal.Copy(to, from)
}

// readOnce makes the loop fold the state and what is in the logs, until ctx ends.
func (d *alone) readOnce(ctx context.Context, c *config.Config) error {
	positions, err := d.loop.Restore()
	if err != nil {
		return err
	}
	source, err := d.openInputs(c, positions)
	if err != nil {
		return err
	}
	return errors.Join(d.loop.Run(ctx, source), source.Close())
}

// nowhere discards the rules and events of a dry run.
type nowhere struct{}

func (nowhere) Publish(context.Context, jsonl.List) error { return nil }

func (nowhere) Emit(context.Context, []event.Event) error { return nil }
