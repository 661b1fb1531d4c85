// Package admin is the listener for the operator of the daemon:
//
//	/healthz          200 while the program works, else 503 and the reason
//	/readyz           200 once the lines present at the start have been read
//	/metrics          for Prometheus
//	/api/v1/status    JSON: counts of lines, sites, rules, state, errors
//	/api/v1/inputs    JSON: each input with its format, offset, lag, lines and last error
//	/api/v1/rules     the rule list, ?site=HOST of one site, ?state=likely or valid: JSON lines, or an array if Accept prefers application/json; with an ETag
//	/api/v1/changes   server-sent events: each site's published rules with the trial of the set, now and whenever they change; with ?rules=no, only that the state has changed
//	/api/v1/approve   POST with the JSON {"site": HOST, "mark": MARK}: publishes a held update
//	/api/v1/recheck   POST with the JSON {"site": HOST, "id": ID}: starts a new trial of a rule, or, without id, of all rules of the site
//	/api/v1/veto      POST with the JSON {"site": HOST, "id": ID}: a rule is never published; DELETE takes the veto back
//	/api/v1/pin       the same: a rule stays while nothing refutes it
//	/api/v1/prefer    POST with the JSON {"site": HOST, "sides": [TEXT, ...]}: decides the direction where both hold; DELETE takes it back
//	/api/v1/report    POST with the JSON of package report: a crawler proposes a pair of URLs for a trial
//	/api/v1/pages     POST with the JSON of report.Page: a page that a crawler fetched anyway; from addresses that the settings name
//	/login, /logout   for browsers: a form, and the cookie given for the token
//	/debug/pprof/     profiles of the program, on loopback only
//
// On loopback the token is optional. If a token is set, all paths but /healthz and /readyz
// require the token. Beyond loopback a token must be set. A request must name a host of the
// listener, so no page in a browser can reach the listener under another host name, and no
// page of another site can post. The listener speaks no TLS: for TLS, put a proxy in front.
//
// All data come from a [State], which any number of requests read at once.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"

	"dustbuster/operators/input"
	"dustbuster/operators/lifecycle"
	"dustbuster/operators/metric"
	"dustbuster/operators/report"
	"dustbuster/operators/rule"
)

// State is the data shown by the listener. Any goroutine may call the methods. The methods
// return at once, and their results are immutable.
type State interface {
	Reporter
	Rules() Rules
	Revision() int64                // changes whenever the other data change
	Approve(site, mark string) bool // false: there is no such update
	Recheck(site, id string) bool   // id "": all rules of the site; false: no published rule matches
	// Report takes in a crawler's report. The error is report.ErrNoSite, report.ErrFull, or a
	// *report.FieldError.
	Report(r *report.Report) error
	// Page takes in a page that a crawler fetched anyway. The error is report.ErrNoSite, or a
	// *report.FieldError.
	Page(p *report.Page) error
	// Wish takes in a decision about the rules of a site. The error is report.ErrNoSite, or an
	// error of lifecycle.Machine.Wish.
	Wish(site string, w lifecycle.Wish) error
	// Elsewhere reports whether another member of a group owns a site. Elsewhere may ask
	// brokers.
	Elsewhere(ctx context.Context, site string) (Owner, bool)
}

// Reporter is the data shown by the listener of any program. Its methods have the
// properties of State's methods.
type Reporter interface {
	Status() any // the document of /api/v1/status, for JSON
	Metrics() []metric.Metric
	Inputs() []input.State // in the order of the configuration
	Probes
}

// Owner is the member of a group that owns a site; empty if the member is unknown.
type Owner struct {
	Member string `json:"owner,omitempty"`
	Host   string `json:"host,omitempty"` // the member's address as seen by the brokers
}

// Probes are the checks for a supervisor.
type Probes interface {
	Ready() error   // nil once the lines present at the start have been read
	Healthy() error // nil while the program works
}

// Rules are the rules found by the daemon.
type Rules struct {
	Likely    []rule.Likely // by site, best first
	Tried     bool          // rules are tried, and those published are the valid ones
	Published map[string]*lifecycle.Publication
}

// Options describe the address and the permitted requests.
type Options struct {
	Listen    string      // host:port; port 0: any
	Hosts     []string    // names by which requests may call the listener, besides localhost, the name in Listen and, beyond loopback, addresses
	TokenFile string      // file of the required token; "": no token, which is allowed only on loopback
	AllowHost string      // how the operator allows a name as one of Hosts, for the answer to a request; "": "allow the name"
	ErrorLog  *log.Logger // for broken connections; may be nil

	Pages     map[string]http.Handler // for people, by patterns of http.ServeMux; nil: a list of the paths is at /
	PagesFrom []netip.Prefix          // addresses that may post pages
}

// Server is the listener. A Server is safe for concurrent use.
type Server struct {
	door     *door
	listener net.Listener
	server   *http.Server
	cut      context.CancelFunc
}

// Bounds of a request. A profile may take longer to write: its own seconds are
// added.
const (
	readTimeout  = 10 * time.Second
	writeTimeout = 30 * time.Second
	idleTimeout  = 2 * time.Minute
	maxHeader    = 16 << 10 // bytes
)

// Open listens. Nothing is answered before Serve.
func Open(o Options, s State) (*Server, error) {
	return open(o, func(d *door) http.Handler { return handler(s, d, o.Pages) })
}

func open(o Options, behind func(*door) http.Handler) (*Server, error) {
	d, l, err := listen(&o)
	if err != nil {
		return nil, fmt.Errorf("listen for administration on %q: %w", o.Listen, err)
	}
	if o.ErrorLog == nil {
		o.ErrorLog = log.New(io.Discard, "", 0)
	}
	ctx, cut := context.WithCancel(context.Background())
	return &Server{door: d, listener: l, cut: cut, server: &http.Server{
		Handler:     behind(d),
		ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog:    o.ErrorLog,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}}, nil
}

// listen resolves the address once, so the checked address is the address used.
func listen(o *Options) (*door, net.Listener, error) {
	address, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil, nil, err
	}
	d, err := newDoor(o, address.IP.IsLoopback())
	if err != nil {
		return nil, nil, err
	}
	l, err := net.ListenTCP("tcp", address)
	return d, l, err
}

// Check returns the error that Open would return for the token, before any work begins. An
// unknown host name is an error of Open only.
func (o *Options) Check() error {
	address, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil
	}
	_, err = newDoor(o, address.IP.IsLoopback())
	return err
}

// Reload reads the token again. After an error the old token stays valid.
func (s *Server) Reload() error {
	if s.door.file == "" {
		return nil
	}
	return s.door.read()
}

// Addr returns the listener's address.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Serve answers until Shutdown, and then returns nil.
func (s *Server) Serve() error {
	if err := s.server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve administration: %w", err)
	}
	return nil
}

// Shutdown takes no more requests and waits for those at hand; profiles in the
// making end early. When ctx ends before they do, connections are cut.
func (s *Server) Shutdown(ctx context.Context) error {
	s.cut()
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = fmt.Errorf("shut down administration: %w", errors.Join(err, s.server.Close()))
	}
	if closing := s.listener.Close(); err == nil && !errors.Is(closing, net.ErrClosed) {
		err = closing // Serve was never called
	}
	return err
}
