package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule/report"
	"dustbuster/sinks/admin"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
)

// stalled is for how long the loop may not turn before something hangs.
const stalled = time.Minute

// view returns the state of the daemon.
func (d *daemon) view() *overview {
	source, state := d.source.Load(), d.loop.State()
	o := &overview{version: cli.Version(), loop: state.Status, tail: source.Stats(), lags: source.Lags(), inputs: source.Describe()}
	return d.withTrials(o, state)
}

// withTrials adds the state of trials to an overview.
func (d *daemon) withTrials(o *overview, state *loop.State) *overview {
	if d.fetcher != nil {
		o.trials, o.fetches = prober.StatusOf(d.workers(), state.Published, &d.verdicts), d.fetcher.Stats()
	}
	return o
}

// Status returns the status document, with so many of the largest sites at most.
func (d *daemon) Status(sites int) any { return d.look().json(sites) }

// Sites returns of each site whether it is ours.
func (d *daemon) Sites() any {
	all := []prober.WhoseSite{}
	for _, site := range d.look().trials.Whose {
		all = append(all, site)
	}
	slices.SortFunc(all, func(a, b prober.WhoseSite) int { return strings.Compare(a.Site, b.Site) })
	return map[string][]prober.WhoseSite{"sites": all}
}

// Waste returns the waste of the sites.
func (d *daemon) Waste() any { return wastes(&d.look().loop) }

// SiteWaste returns the waste of a site.
func (d *daemon) SiteWaste(site string) (any, bool) { return wasteOfSite(&d.look().loop, site) }

// Metrics returns the metrics.
func (d *daemon) Metrics() []metric.Metric { return d.look().metrics() }

// Inputs describes the inputs of the daemon.
func (d *daemon) Inputs() []input.State {
	return maskedInputs(d.source.Load().Describe(), d.config.Load().Veil())
}

// Rules are those found so far, of the sites that this process owns.
func (d *daemon) Rules() admin.Rules {
	return d.rulesOf(d.state(), nil)
}

// rulesOf returns the rules of a state. unread is the reason for which published ones may be missing.
func (d *daemon) rulesOf(s *loop.State, unread error) admin.Rules {
	all := admin.Rules{Likely: s.Rules, Unlisted: unread, Tried: d.fetcher != nil, Published: s.Published, Unread: unread, Knows: s.Knows}
	if unread == nil && !s.Listed {
		all.Unlisted = errCatchingUp
	}
	return all
}

// errCatchingUp is the reason for which rules are missing: the lines that tell them are being read.
var errCatchingUp = errors.New("catching up with the lines that were there at the start")

// Decide takes in what an operator says to a held update of the rules of a site.
func (d *daemon) Decide(site string, say book.Decision) error {
	return d.ofSite(func(w *prober.Worker) error { return w.Decide(site, say) })
}

// Recheck has rules of a site tried again now.
func (d *daemon) Recheck(site, id string) error {
	return d.ofSite(func(w *prober.Worker) error { return w.Recheck(site, id) })
}

// Report takes in a crawler's report.
func (d *daemon) Report(r *report.Report) (report.Answer, error) {
	if d.worker == nil {
		return report.NotTaken, report.ErrNoSite
	}
	return d.worker.Report(r)
}

// Wish takes in a decision of an operator about the rules of a site.
func (d *daemon) Wish(site string, wish book.Wish) error {
	return d.ofSite(func(w *prober.Worker) error { return w.Wish(site, wish) })
}

// ofSite calls a function with each worker until one knows the site.
func (d *daemon) ofSite(take func(w *prober.Worker) error) error {
	for _, w := range d.workers() {
		if err := take(w); !errors.Is(err, prober.ErrNoSite) {
			return err
		}
	}
	return prober.ErrNoSite
}

// Detail returns what is known of a site's rules.
func (d *daemon) Detail(ctx context.Context, site string, q lifecycle.Query) (detail lifecycle.Detail, err error) {
	err = d.ofSite(func(w *prober.Worker) error {
		detail, err = w.Detail(ctx, site, q)
		return err
	})
	return detail, err
}

// LookNow fetches the pages of a pair of a rule's verdict.
func (d *daemon) LookNow(site, id string, pair int) (seen *book.Opened, err error) {
	err = d.ofSite(func(w *prober.Worker) error {
		seen, err = w.LookNow(site, id, pair)
		return err
	})
	return seen, err
}

// Elsewhere reports that no site has another owner: one daemon handles all sites.
func (d *daemon) Elsewhere(context.Context, string) (admin.Owner, bool) { return admin.Owner{}, false }

// Ready reports whether rules are current, and whether the state and the rules can be written.
func (d *daemon) Ready() error {
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
func (d *daemon) Healthy() error { return healthy(d.loop.Stalled(), ": does a disk hang?") }

// healthy reports whether something was done lately; cause is what the error ends in.
func healthy(since time.Duration, cause string) error {
	if since > stalled {
		return fmt.Errorf("nothing has been done for %v%s", since.Round(time.Second), cause)
	}
	return nil
}

// serve opens an admin listener, if one is configured. The listener answers until the
// returned function is called. At SIGHUP its tokens are read again.
func serve(o admin.Options, open func(admin.Options) (*admin.Server, error), log *zap.Logger) (stop func(), err error) {
	if o.Listen == "" {
		return func() {}, nil
	}
	o.ErrorLog = zap.NewStdLog(log)
	server, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("%w\nchoose another address with --admin-listen, or none with --admin-listen ''", err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve() }()
	unfollow := func() {}
	switch tokens := o.Tokens != (admin.Tokens{}); {
	case tokens && !windows:
		unfollow = followTokens(server, log)
	case tokens:
		log.Warn("admin tokens are read at the start only: Windows has no SIGHUP")
	}
	what := "serving metrics, health and API"
	if o.Pages != nil {
		what = "serving metrics, health, API and the dashboard for browsers"
	}
	log.Info(what, zap.Stringer("address", server.Addr()), zap.Int("connections", server.Connections()))
	return func() {
		unfollow()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := errors.Join(server.Shutdown(ctx), <-done); err != nil {
			log.Warn("cannot end the admin listener", cli.Cause(err))
		}
	}, nil
}

// followTokens reads a listener's tokens again at each SIGHUP, until the function returned is
// called.
func followTokens(server *admin.Server, log *zap.Logger) (stop func()) {
	hangup, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		defer close(ended)
		for range hangup {
			if err := server.Reload(); err != nil {
				log.Error("the admin tokens are not changed", cli.Cause(err))
			} else {
				log.Info("admin tokens read again")
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
		<-ended
	}
}

// ready notifies systemd, if it started the program, that the program works.
func ready(log *zap.Logger) {
	if err := notify("READY=1"); err != nil {
		log.Warn("cannot tell systemd", cli.Cause(err))
	}
}

// notify sends the program's state to systemd, if it started the program (sd_notify).
func notify(state string) error {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	socket, err := net.Dial("unixgram", address)
	if err != nil {
		return err
	}
	_, err = socket.Write([]byte(state))
	return errors.Join(err, socket.Close())
}
