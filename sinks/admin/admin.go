// Package admin is the listener for the operator of the daemon:
//
//	/healthz          200 while the program works, else 503 and the reason
//	/readyz           200 once the lines present at the start have been read, while state and rules can be written
//	/metrics          for Prometheus
//	/api/v1/waste     JSON: what duplicates cost crawlers, by site, and of all sites by day; ?site=HOST: of one site, by day
//	/api/v1/status    JSON: counts of lines, sites, rules, state, errors
//	/api/v1/inputs    JSON: each input with its format, offset, lag, lines and last error
//	/api/v1/rules     the rule list, ?site=HOST of one site, ?state=likely or valid: JSON lines, or an array if Accept prefers application/json; with an ETag and a Repr-Digest; 503 while rules may be missing
//	/api/v1/export    the published rules of ?site=HOST for another tool, ?format=nginx and so on; with &redirect=yes a server redirects
//	/api/v1/changes   server-sent events: each site's published rules with the trial of the set, now and whenever they change; with ?rules=no, only that the state has changed
//	/api/v1/pairs     JSON: the pairs of a rule's verdict, with the words by which their pages differ: ?site=HOST&id=ID
//	/api/v1/look      POST with the JSON {"site": HOST, "id": ID, "pair": N}: fetches such a pair anew
//	/api/v1/approve   POST with the JSON {"site": HOST, "mark": MARK}, and perhaps "id": ID of one rule: publishes a held update
//	/api/v1/reject    POST with the same: vetoes the rules of a held update
//	/api/v1/recheck   POST with the JSON {"site": HOST, "id": ID}: starts a new trial of a rule, or, without id, of all rules of the site
//	/api/v1/veto      POST with the JSON {"site": HOST, "id": ID}, or "param": a parameter or text in the place of id: a rule, or each that edits it, is never published; DELETE takes the veto back
//	/api/v1/pin       the same: a rule stays while nothing refutes it
//	/api/v1/prefer    POST with the JSON {"site": HOST, "sides": [TEXT, ...]}: decides the direction where both hold; DELETE takes it back
//	/api/v1/sites     JSON: of each site whether it is yours, and why; POST with the JSON {"site": HOST}: says that it is, DELETE takes that back
//	/api/v1/allow     POST with the JSON {"site": HOST, "param": NAME or NAME=VALUE}: URLs with the parameter may be fetched as if the public asked for it; DELETE takes that back
//	/api/v1/report    POST with the JSON of package report: a crawler proposes a pair of URLs for a trial
//	/login, /logout   for browsers: a form, and the cookie of a session
//	/debug/pprof/     profiles of the program, on loopback only
//
// On loopback tokens are optional. Beyond loopback at least one must be set. Then all paths but
// /healthz and /readyz require a token, and each has a [Role]. A role without a token then cannot
// be used. A request must name a host of the listener, so no page in a browser can reach it under
// another name, and no page of another site can post. The listener speaks no TLS: for TLS, put a
// proxy in front.
//
// Connections are bounded, and so are streams, wrong tokens and bodies.
//
// All data come from a [State], which any number of requests read at once.
package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/sinks/export"
)

// State is the data shown by the listener. Any goroutine may call the methods. The methods
// return soon, and their results are immutable. Report may wait while the rules of the site
// are computed.
type State interface {
	Reporter
	Rules() Rules
	Revision() int64               // changes whenever the other data change
	Recheck(site, id string) error // id "": all rules of the site; report.ErrNoSite, report.ErrBusy, or book.ErrNoRule: no published rule matches
	// Report takes in a crawler's report. The error is report.ErrNoSite, report.ErrFull, or a
	// *report.FieldError.
	Report(r *report.Report) (report.Answer, error)
	// Decide takes in what an operator says to a held update. The error is report.ErrNoSite, or an
	// error of lifecycle.Operator.Decide.
	Decide(site string, d book.Decision) error
	// Wish takes in a decision about the rules of a site. The error is report.ErrNoSite, or an
	// error of lifecycle.Operator.Wish.
	Wish(site string, w book.Wish) error
	// Detail returns what is known of a site's rules. The error is report.ErrNoSite or report.ErrBusy.
	Detail(ctx context.Context, site string, q lifecycle.Query) (lifecycle.Detail, error)
	// LookNow fetches the pages of a pair of a rule's verdict, numbered from 0. The result is nil if the look goes on.
	// The error is report.ErrNoSite, book.ErrNoPair or book.ErrBusy.
	LookNow(site, id string, pair int) (*book.Opened, error)
	// Sites returns the document of /api/v1/sites, for JSON.
	Sites() any
	// Waste returns the document of /api/v1/waste, for JSON.
	Waste() any
	// SiteWaste returns the same of one site, with its days; false: no hit on the site has been seen.
	SiteWaste(site string) (any, bool)
	// Export returns the published rules of a site in a format of package export, as the site's URLs need
	// them. The error is ErrNoRules if there are none. Export may take seconds.
	Export(ctx context.Context, site, format string, redirect bool) (*export.Made, error)
	// Elsewhere reports whether another member of a group owns a site. Elsewhere may ask
	// brokers.
	Elsewhere(ctx context.Context, site string) (Owner, bool)
}

// Reporter is the data shown by the listener of any program. Its methods have the
// properties of State's methods.
type Reporter interface {
	Status(sites int) any // the document of /api/v1/status, for JSON, with so many sites at most; 0: with all
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
	Ready() error   // nil once the lines present at the start have been read, while state and rules can be written
	Healthy() error // nil while the program works
}

// Rules are the rules found by the daemon.
type Rules struct {
	Likely    []rule.List // in the order of sites; of each best first
	Unlisted  error       // why rules may be missing in Likely that are found soon; nil: none are
	Tried     bool        // rules are validated, and those published are the valid ones
	Unread    error       // the same of Published
	Published map[string]*book.Publication
	Knows     func(site string) bool // reports whether a site has hits or rules here; nil: every site has
}

// Options describe the address and the permitted requests.
type Options struct {
	Listen    string      // host:port; port 0: any
	Hosts     []string    // names by which requests may call the listener, besides localhost, the name in Listen and, beyond loopback, addresses
	Tokens    Tokens      // no token is allowed only on loopback
	AllowHost string      // how the operator allows a name as one of Hosts, for the answer to a request; "": "allow the name"
	ErrorLog  *log.Logger // for broken connections; may be nil

	Pages   map[string]http.Handler // for people, by patterns of http.ServeMux; nil: a list of the paths is at /
	Origins []string                // origins whose pages may read the rules (CORS)

	Connections     int            // open at once; 0: DefaultConnections. A quarter of the process's descriptors is the most
	PeerConnections int            // of them of one address (of IPv6, one /64); 0: DefaultPeerConnections
	TrustedProxies  []netip.Prefix // addresses that PeerConnections does not bound
	HeaderTimeout   time.Duration  // for the header of a request; 0: DefaultHeaderTimeout
}

// Tokens are the files of the tokens; "": the role has none.
type Tokens struct{ Read, Report, Operate string }

func (t Tokens) any() bool { return t != Tokens{} }

// Server is the listener. A Server is safe for concurrent use.
type Server struct {
	door   *door
	server *http.Server
	cut    context.CancelFunc
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

// OpenAgent is Open for an agent, which has no rules: health, metrics, status and profiles.
func OpenAgent(o Options, s Reporter) (*Server, error) {
	return open(o, func(d *door) http.Handler { return agentHandler(s, d) })
}

func open(o Options, behind func(*door) http.Handler) (*Server, error) {
	d, err := listen(&o)
	if err != nil {
		return nil, fmt.Errorf("listen for administration on %q: %w", o.Listen, err)
	}
	if o.ErrorLog == nil {
		o.ErrorLog = log.New(io.Discard, "", 0)
	}
	ctx, cut := context.WithCancel(context.Background())
	return &Server{door: d, cut: cut, server: &http.Server{
		Handler:     behind(d),
		ReadTimeout: readTimeout, ReadHeaderTimeout: cmp.Or(o.HeaderTimeout, DefaultHeaderTimeout), WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog:    o.ErrorLog,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: withConnection,
	}}, nil
}

// listen resolves the address once, so what is checked is what is used.
func listen(o *Options) (*door, error) {
	address, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil, err
	}
	d, err := newDoor(o, address.IP.IsLoopback())
	if err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", address)
	if err != nil {
		return nil, err
	}
	d.connections.Listener = l
	_, d.port, err = net.SplitHostPort(l.Addr().String())
	return d, err
}

// Check returns the error that Open would return for the tokens, before any work begins. An
// unknown host name is an error of Open only.
func (o *Options) Check() error {
	address, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil
	}
	_, err = newDoor(o, address.IP.IsLoopback())
	return err
}

// Reload reads the tokens again. After an error all old tokens stay valid.
func (s *Server) Reload() error { return s.door.read() }

// Connections returns the most connections that are open at once.
func (s *Server) Connections() int { return s.door.connections.most }

// Addr returns the listener's address.
func (s *Server) Addr() net.Addr { return s.door.connections.Addr() }

// Serve answers until Shutdown, and then returns nil.
func (s *Server) Serve() error {
	if err := s.server.Serve(s.door.connections); !errors.Is(err, http.ErrServerClosed) {
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
	if closing := s.door.connections.Close(); err == nil && !errors.Is(closing, net.ErrClosed) {
		err = closing // Serve was never called
	}
	return err
}
