package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/plan"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
)

// pairsShown is how many pairs of each rule are planned.
const pairsShown = 5

// planner finds the URLs that would be fetched. It sends no request.
type planner struct {
	fetcher *fetch.Fetcher
	worker  *prober.Worker
	veil    secret.Veil // masks URLs
	sites   []plan.Site
}

// add plans a site, given its machine and its likely rules.
func (p *planner) add(m *miner.Machine, list []rule.Candidate) {
	s := plan.Site{Schema: plan.Schema, Kind: "site", Site: m.Site(), Origin: p.fetcher.Origin(m.Site()), Robots: []string{}}
	for i, r := range p.worker.Plan(m.Site(), lifecycle.WindowOf(m), list, pairsShown) {
		rule := plan.Rule{Schema: plan.Schema, Kind: "rule", Site: s.Site, Order: i + 1, Purpose: r.Purpose.String(), ID: r.ID,
			Support: r.Support, Gain: r.Gain, Pairs: r.Pairs, Barred: r.Barred, Expected: r.Outcomes, First: []plan.Pair{}}
		if r.Rule != nil {
			rule.Rule = r.Rule
		}
		for _, test := range r.First {
			rule.First = append(rule.First, plan.Pair{U: p.url(&s, test.U), V: p.url(&s, test.V)})
		}
		s.Rules = append(s.Rules, rule)
	}
	p.sites = append(p.sites, s)
}

// url returns a planned URL. The robots.txt of its host comes before.
func (p *planner) url(s *plan.Site, target string) plan.URL {
	where, err := p.fetcher.Where(s.Site, target)
	var e *fetch.Error
	if errors.As(err, &e) {
		return plan.URL{URL: p.veil.Mask(target), Refused: string(e.Reason)}
	}
	if u, err := url.Parse(where); err == nil {
		if robots := u.Scheme + "://" + u.Host + "/robots.txt"; !slices.Contains(s.Robots, robots) {
			s.Robots = append(s.Robots, robots)
		}
	}
	return plan.URL{URL: p.veil.Mask(target)}
}

// write writes the plan, and the URLs that are never requested.
func (p *planner) write(w, stderr io.Writer, asJSON bool) error {
	for _, line := range private(p.worker.Status()) {
		fmt.Fprintln(stderr, line)
	}
	if asJSON {
		return plan.JSON(w, p.sites)
	}
	return plan.Text(w, p.sites, "--dry-run=json has them all")
}

// auditFile is the path of the audit file; "" without one. A dry run writes none.
func auditFile(c *config.Config) string {
	if c.Trial.DryRun != "" {
		return ""
	}
	return c.Trial.Audit
}

// dryRun prints the requests that the daemon would send now. It reads the logs as they
// are, on a copy of the state, and ends. It sends no request and changes no file.
func (d *daemon) dryRun(ctx context.Context, stdout, stderr io.Writer) (err error) {
	c := *d.config.Load()
	dir, err := os.MkdirTemp("", "dustbuster")
	if err != nil {
		return fmt.Errorf("copy state: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyState(dir, c.State); err != nil {
		return fmt.Errorf("copy state: %w", err)
	}
	c.State = dir
	c.Inputs = d.withoutPipes(c.Inputs)
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
		return &usageError{errors.New("--dry-run: nothing says where pages may be fetched from: give --origin, --site-origin or --fetch-scheme")}
	}
	p := &planner{fetcher: d.fetcher, worker: d.worker, veil: c.Veil()}
	o := d.loopOptions(d.worker)
	o.Learn = 0 // the windows are looked at once, at the end
	d.loop = loop.New(o, checkpoint.Journal{Journal: store}, nowhere{}, nowhere{})
	if err := d.readOnce(ctx, &c); err != nil {
		return err
	}
	d.loop.Look()
	d.loop.Sites(func(m *miner.Machine, rules []rule.Likely) {
		if d.worker.CanTry(m.Site()) {
			p.add(m, lifecycle.Candidates(rules))
		}
	})
	return p.write(stdout, stderr, c.Trial.DryRun == "json")
}

// withoutPipes leaves out inputs that can be read only once. They are left to the daemon.
func (d *daemon) withoutPipes(all []config.Input) (kept []config.Input) {
	for _, in := range all {
		in.Paths = slices.DeleteFunc(slices.Clone(in.Paths), func(path string) bool {
			piped, _ := isPipe(path)
			if piped {
				d.log.Warn("a dry run does not read from a pipe: its lines would be lost", zap.String("path", path))
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

// readOnce makes the loop fold the state and the present content of the logs.
func (d *daemon) readOnce(ctx context.Context, c *config.Config) error {
	positions, err := d.loop.Restore()
	if err != nil {
		return err
	}
	source, err := d.openInputs(c, positions)
	if err != nil {
		return err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for !d.loop.State().Status.CaughtUp && reading.Err() == nil {
			time.Sleep(20 * time.Millisecond)
		}
		stop()
	}()
	err = errors.Join(d.loop.Run(reading, source), source.Close())
	if err == nil && ctx.Err() != nil {
		err = errors.New("interrupted before the logs were read")
	}
	return err
}

// nowhere discards the rules and events of a dry run.
type nowhere struct{}

func (nowhere) Publish(context.Context, jsonl.List) error { return nil }

func (nowhere) Emit(context.Context, []event.Event) error { return nil }
