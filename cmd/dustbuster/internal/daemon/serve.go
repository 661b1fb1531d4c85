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
	"dustbuster/sinks/dashboard"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
)

// stalled is for how long the loop may not turn before something hangs.
const stalled = time.Minute

// engine is what mines the rules that a daemon shows: a process alone with its logs, or a member of a group.
type engine interface {
	known() (*loop.State, error)                                    // the error says why rules of this process may be missing
	workers() []*prober.Worker                                      // that try rules; none: rules are not tried
	describe(o *overview)                                           // adds the inputs, and what this engine alone has
	Elsewhere(ctx context.Context, site string) (admin.Owner, bool) // as in admin.State
	Members(ctx context.Context) ([]kafka.GroupMember, error)       // as in dashboard.Daemon
	Revision() int64                                                // changes with the state
	Ready() error                                                   // nil: the rules are current, and can be written
	Healthy() error                                                 // nil: it can go on without help
}

// daemon is what the listener shows of a process and its engine.
type daemon struct {
	*process
	engine
	exports exports
}

// serve opens the listener of a process, if one is configured, until the returned function is called.
func (d *process) serve(listen admin.Options, e engine) (stop func(), err error) {
	shown := &daemon{process: d, engine: e}
	listen.Pages = dashboard.New(shown).Handlers()
	return serve(listen, func(o admin.Options) (*admin.Server, error) { return admin.Open(o, shown) }, d.log)
}

// look returns the present state of all parts.
func (d *daemon) look() *overview {
	state, _ := d.known()
	o := &overview{version: cli.Version(), loop: state.Status}
	d.describe(o)
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

// Look returns the present state for the pages.
func (d *daemon) Look() *dashboard.Look {
	o, rules, c := d.look(), d.Rules(), d.config.Load()
	look := &dashboard.Look{Version: o.version, Loop: o.loop, Likely: rules.Likely, Trials: o.trials, Fetches: o.fetches, Partitions: o.partitions,
		Inputs: maskedInputs(o.inputs, c.Veil()), Group: o.group, Veil: c.Veil(), Unready: d.Ready()}
	if look.Trials.On {
		look.HoldShare = c.Validate.HoldShare
	}
	return look
}

// Inputs describes the inputs.
func (d *daemon) Inputs() []input.State {
	var o overview
	d.describe(&o)
	return maskedInputs(o.inputs, d.config.Load().Veil())
}

// Rules are those found so far, of the sites that this process owns.
func (d *daemon) Rules() admin.Rules {
	s, unread := d.known()
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
func (d *daemon) Report(r *report.Report) (answer report.Answer, err error) {
	err = d.ofSite(func(w *prober.Worker) error {
		answer, err = w.Report(r)
		return err
	})
	return answer, err
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

// healthy reports whether something was done lately; cause is what the error ends in.
func healthy(since time.Duration, cause string) error {
	if since > stalled {
		return fmt.Errorf("no progress for %v%s", since.Round(time.Second), cause)
	}
	return nil
}

// urlOf is the address of a listener as a browser on this machine opens it.
func urlOf(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err != nil || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
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
	log.Info(what, zap.String("url", urlOf(server.Addr())), zap.Stringer("address", server.Addr()), zap.Int("connections", server.Connections()))
	return func() {
		unfollow()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := errors.Join(server.Shutdown(ctx), <-done); err != nil {
			log.Warn("cannot close the admin listener", cli.Cause(err))
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
				log.Error("cannot read the admin tokens again: the old ones stay", cli.Cause(err))
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
		log.Warn("cannot notify systemd", cli.Cause(err))
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
