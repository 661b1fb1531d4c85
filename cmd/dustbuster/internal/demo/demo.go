// Package demo has the command demo: a made-up site with its visitors and crawlers, and a daemon
// beside it, in one process on loopback.
package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/daemon"
	"dustbuster/config"
	"dustbuster/stream/rules"

	"github.com/spf13/cobra"
)

const long = `demo shows what dustbuster does, without a site of your own. It serves a small made-up
site on loopback, whose pages are reachable under six kinds of duplicate URLs: with a
tracking parameter, with the page that a reader came from, as a print view, at an old
address, as index.html, and with parameters in another order. Visitors read the site,
and two crawlers crawl it. Beside the site runs the daemon of "dustbuster run" with its
dashboard: it mines the site's access log, tries the rules, and publishes those that
hold. One of the crawlers applies the published rules, and demo prints what each round
of each crawler cost.

In the log of the demo the crawlers call themselves Googlebot and CCBot. Nothing is
fetched from the network, and nothing stays on the disk.`

const examples = `  dustbuster demo
  dustbuster demo --for 1m`

// Commands returns the command.
func Commands() []cli.Command { return []cli.Command{{Name: "demo", New: newCommand}} }

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "show everything at work on a generated site",
		Long:    long,
		Example: examples,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().Var(config.DurationFlag(&o.length), "for", "end after this time. 0 ends at Ctrl-C")
	cmd.Flags().StringVar(&o.listen, "admin-listen", config.Defaults().Admin.Listen, "`host:port` of the dashboard, on loopback. If the port is taken, another one is used")
	return cmd
}

// options are the flags of the command.
type options struct {
	length time.Duration // 0: until a signal
	listen string
}

// run is the demo, until ctx ends or its time is over.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if o.length > 0 {
		defer time.AfterFunc(o.length, stop).Stop()
	}
	signal.Ignore(syscall.SIGPIPE) // ends the demo by stop, so that the directory goes
	state, err := os.MkdirTemp("", "dustbuster-demo")
	if err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	defer os.RemoveAll(state)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve site: %w", err)
	}
	lines, log := io.Pipe()
	server := &http.Server{Handler: &site{log: log}, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }() // until Close
	defer server.Close()
	context.AfterFunc(ctx, func() { _ = lines.Close() }) // so that no handler waits for a reader
	c, err := settings(listener.Addr().String(), state, o.listen)
	if err != nil {
		return err
	}
	d := &show{ctx: ctx, stop: stop, stdout: stdout, start: time.Now(), site: "http://" + listener.Addr().String(), page: "http://" + c.Admin.Listen}
	errs := &keeper{}
	var clients sync.WaitGroup
	d.begin(&clients)
	err = cli.Ended(ctx, daemon.Run(ctx, daemon.Options{Stdin: lines, Fresh: 2 * time.Second, Load: func() (config.Config, error) { return c, nil }}, io.Discard, errs))
	stop() // for the clients, too
	clients.Wait()
	if err != nil {
		_, _ = stderr.Write(errs.Bytes())
		return err
	}
	d.end()
	return nil
}

// settings are those of a daemon beside the site, with the pace of a demo.
func settings(host, state, listen string) (config.Config, error) {
	c := config.Defaults()
	c.Read.Inputs, c.Read.Format = []config.Input{{Paths: []string{cli.StandardOutput}}}, "combined"
	c.Read.Window, c.Read.Pane = 90*time.Second, 5*time.Second
	c.Site.Host = host
	c.Validate.Origin, c.Validate.Delay, c.Validate.Rate, c.Validate.Budget = "http://"+host, 10*time.Millisecond, 0, 0
	c.Validate.PublishInterval, c.Validate.LevelInterval = time.Second, 2*time.Second
	c.Validate.HoldShare = 1 // nothing waits for an operator
	c.Pace.RefineInterval, c.Pace.LearnInterval, c.Pace.ShutdownTimeout = time.Second, 3*time.Second, 2*time.Second
	c.Keep.State, c.Write.Rules, c.Write.Events = state, cli.StandardOutput, cli.StandardOutput
	c.Write.LogLevel, c.Write.LogFormat = "error", "console"
	var err error
	c.Admin.Listen, err = free(listen)
	return c, err
}

// free returns an address to listen at: the given one, or, if its port is taken, another of the host.
func free(address string) (string, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", cli.WrongUsage(fmt.Errorf("read flags: --admin-listen must be host:port on loopback, such as 127.0.0.1:9464, got %q", address))
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return "", fmt.Errorf("serve dashboard: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// show is what happens on the site, and what is said of it.
type show struct {
	ctx        context.Context
	stop       func()
	start      time.Time
	site, page string // addresses

	mu     sync.Mutex
	stdout io.Writer
	told   map[string]bool // rules, by id
}

// begin starts the visitors and the crawlers.
func (s *show) begin(clients *sync.WaitGroup) {
	fmt.Fprintf(s.stdout, "site       %s/\ndashboard  %s/\n\n", s.site, s.page)
	live := &rules.Live{}
	s.told = map[string]bool{}
	live.OnChange(func(string) { s.published() })
	clients.Go(func() { live.Follow(s.ctx, s.page, 500*time.Millisecond, nil) })
	clients.Go(func() { visit(s.ctx, s.site, 20*time.Millisecond) })
	for _, c := range []*crawler{{name: "Googlebot", address: "198.51.100.1"}, {name: "CCBot", address: "198.51.100.2", live: live}} {
		c.origin, c.pause, c.rest, c.say = s.site, 8*time.Millisecond, 3*time.Second, s.say
		clients.Go(func() { c.crawl(s.ctx) })
	}
}

// say prints a line with its time.
func (s *show) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(s.start).Round(time.Second)
	if _, err := fmt.Fprintf(s.stdout, "%d:%02d  %s\n", int(now.Minutes()), int(now.Seconds())%60, fmt.Sprintf(format, args...)); err != nil {
		s.stop() // nobody reads
	}
}

// published says which rules are new in the list.
func (s *show) published() {
	list, err := rules.Open(s.ctx, s.page)
	if err != nil || len(list.Sites) == 0 {
		return
	}
	of := &list.Sites[0]
	for i := range of.Rules {
		if id := of.Records[i].ID; !s.told[id] {
			s.told[id] = true
			s.say("published: %s", of.Rules[i].Words())
		}
	}
}

// end says how to go on.
func (s *show) end() {
	fmt.Fprint(s.stdout, "\nthe same for a log and a site of your own:\n  dustbuster run --tail /var/log/nginx/access.log --origin http://127.0.0.1\n")
}

// keeper keeps what the daemon logs, at most some of it.
type keeper struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write keeps a text. Safe for concurrent use.
func (k *keeper) Write(text []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Len() < 64<<10 {
		k.Buffer.Write(text)
	}
	return len(text), nil
}
