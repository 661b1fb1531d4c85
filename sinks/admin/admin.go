// Package admin is the listener for whoever runs the daemon:
//
//	/healthz          200 while the program works, else 503 and why
//	/readyz           200 once what was there at the start has been read
//	/metrics          for Prometheus
//	/api/v1/status    JSON: what has become of lines, sites, rules, state, errors
//	/api/v1/rules     the rule list, ?site=HOST of one site, ?state=likely or valid: JSON lines, or an array if Accept prefers application/json; with an ETag
//	/api/v1/changes   server-sent events: each site's published rules with the trial of the set, now and whenever they change
//	/api/v1/approve   POST with the JSON {"site": HOST, "mark": MARK}: publishes rules that are held back
//	/api/v1/recheck   POST with the JSON {"site": HOST, "id": ID}: has a rule tried again now, without id all of the site
//	/login, /logout   for browsers: a form, and the cookie that the token gives
//	/debug/pprof/     profiles of the program, on loopback only
//
// On loopback no token is needed, but if one is set, everything wants it. Beyond loopback
// a token must be set. /healthz and /readyz never want it. A request must name a host of
// the listener, so that no page in a browser can reach it under a name of its own, and
// nothing may be posted by the page of another site. The listener speaks no TLS: for TLS,
// put a proxy in front.
//
// Everything is read from a [State], which any number of requests ask at once.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"dustbuster/operators/miner"
	"dustbuster/operators/validator"
)

// State is what the listener shows. Its methods are called from any goroutine,
// return at once, and nobody changes what they return.
type State interface {
	Status() Status
	Rules() Rules
	Approve(site, mark string) bool // false: there is no such update
	Recheck(site, id string) bool   // "": all rules of the site; false: none that was published is such
	// Elsewhere reports whether another member of a group owns a site. It may ask brokers.
	Elsewhere(ctx context.Context, site string) (Owner, bool)
	Probes
}

// Owner is the member of a group that owns a site; none if that is not known.
type Owner struct {
	Member string `json:"owner,omitempty"`
	Host   string `json:"host,omitempty"` // the address that the member is seen at
}

// Probes are what a supervisor asks.
type Probes interface {
	Ready() error   // nil once what was there at the start has been read
	Healthy() error // nil while the program works
}

// Rules are what the daemon has found.
type Rules struct {
	Likely    []miner.Rule // by site, best first
	Tried     bool         // rules are tried, and those published are the valid ones
	Published map[string]*validator.Publication
}

// Options say where to listen, and to whom.
type Options struct {
	Listen    string      // host:port; port 0: any
	Hosts     []string    // names by which requests may call the listener, besides localhost, the name in Listen and, beyond loopback, addresses
	TokenFile string      // of the token that requests must show; "": none, which only a loopback address may be without
	ErrorLog  *log.Logger // of broken connections; nil: nobody is told
}

// Server is the listener. It is safe for concurrent use.
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
	return open(o, func(d *door) http.Handler { return handler(s, d) })
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

// listen resolves the address once, so that what was checked is what is used.
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

// Check returns what is wrong with the token, as Open would, before anything is begun. A
// name that leads nowhere is Open's to tell.
func (o *Options) Check() error {
	address, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil
	}
	_, err = newDoor(o, address.IP.IsLoopback())
	return err
}

// Reload reads the token again. After an error the old one holds.
func (s *Server) Reload() error {
	if s.door.file == "" {
		return nil
	}
	return s.door.read()
}

// Addr is where it listens.
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
		err = closing // it was never served
	}
	return err
}
