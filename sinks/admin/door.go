package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// door decides which requests are let in.
type door struct {
	*Options
	loopback bool                   // only this machine reaches the listener
	hosts    map[string]bool        // names of the listener, besides those of loopback
	port     string                 // of the listener
	valid    atomic.Pointer[tokens] // none: no token is required
	sessions *sessions
	failures *limits
	streams  *streams
	origin   *http.CrossOriginProtection
	refused  *prometheus.CounterVec

	connections *connections
}

// Reasons of refusals, as in the metric.
const (
	wrongHost       = "host"
	crossOrigin     = "cross_origin"
	noToken         = "no_token"
	wrongToken      = "wrong_token"
	wrongRole       = "role"
	tooManyFailures = "too_many_failures"
	tooManyStreams  = "too_many_streams"

	tooManyConnections = "too_many_connections"
)

// ErrNoToken is the error of an address beyond loopback if no token is set.
var ErrNoToken = errors.New("others could reach this address, and no token is set")

func newDoor(o *Options, loopback bool) (*door, error) {
	d := &door{Options: o, loopback: loopback, hosts: map[string]bool{},
		sessions: newSessions(), failures: newLimits(failuresAtOnce, failurePause), origin: http.NewCrossOriginProtection(),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dustbuster_admin_refused_total", Help: "Refused requests to this listener, and refused connections, by reason."}, []string{"reason"})}
	for _, reason := range []string{wrongHost, crossOrigin, noToken, wrongToken, wrongRole, tooManyFailures, tooManyStreams, tooManyConnections} {
		d.refused.WithLabelValues(reason)
	}
	for _, host := range o.Hosts {
		d.hosts[hostName(host)] = true
	}
	if name, port, err := net.SplitHostPort(o.Listen); err == nil && name != "" {
		d.hosts[hostName(name)], d.port = true, port
	}
	d.connections = newConnections(o, d.refused.WithLabelValues(tooManyConnections).Inc)
	d.streams = newStreams(d.connections.most, d.connections.ofPeer)
	if !loopback && !d.Tokens.any() {
		return nil, ErrNoToken
	}
	return d, d.read()
}

// read reads the tokens. Requests let in by a token that is replaced end. After an error all
// tokens are as before.
func (d *door) read() error {
	next, old := tokens{}, d.valid.Load()
	for _, f := range []struct {
		role Role
		file string
	}{{Read, d.Tokens.Read}, {Report, d.Tokens.Report}, {Operate, d.Tokens.Operate}} {
		if f.file == "" {
			continue
		}
		text, err := ReadToken(f.file)
		if err != nil {
			return err
		}
		next.add(text, f.role)
	}
	if old == nil {
		old = &tokens{}
	}
	gone := next.keep(*old)
	d.valid.Store(&next)
	for _, t := range gone {
		t.replace()
	}
	return nil
}

// guard refuses requests for other hosts, posts by other sites' pages, and requests that the
// client's role may not make. Answers are neither cached nor sniffed.
func (d *door) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		switch {
		case !d.knows(r.Host):
			d.deny(w, r, http.StatusMisdirectedRequest, wrongHost, fmt.Sprintf("the host %q is not a name of this listener: use localhost or the address, or %s", r.Host, cmp.Or(d.AllowHost, "allow the name")))
		case d.origin.Check(r) != nil:
			d.deny(w, r, http.StatusForbidden, crossOrigin, "a cross-origin request, by a page of another site: a proxy in front must pass the Host header on")
		case d.share(w, r): // the question is answered
		case isProbe(r) || d.Tokens.any() && (r.URL.Path == "/login" || r.URL.Path == "/logout"):
			next.ServeHTTP(w, r)
		default:
			d.admit(w, r, next)
		}
	})
}

// isProbe reports whether a request is a supervisor's probe. A supervisor has no token.
func isProbe(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// knows reports whether a host is one of the listener's. Otherwise a foreign page could
// reach the listener under a host name of its own (DNS rebinding). Addresses are safe: a
// page of that address is a page of this listener.
func (d *door) knows(host string) bool {
	name := hostName(host)
	if d.hosts[name] || isLoopback(name) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil && !d.loopback
}

// admit lets in requests with a token, or with the cookie of a session, whose role may make
// them.
func (d *door) admit(w http.ResponseWriter, r *http.Request, next http.Handler) {
	p, ok := d.passOf(w, r)
	if !ok {
		return
	}
	if may := mayAsk(r); p.roles&may == 0 {
		d.deny(w, r, http.StatusForbidden, wrongRole, fmt.Sprintf("the token of the role %s may not do this: it takes the role %s", p.roles, d.takes(may)))
		return
	}
	ctx, cancel := context.WithCancel(As(r.Context(), p.roles))
	defer cancel()
	defer context.AfterFunc(p.held, cancel)()
	stand(r, atWork)
	defer stand(r, idle)
	next.ServeHTTP(w, r.WithContext(ctx))
}

// takes names the roles that may make a request, without those that have no token.
func (d *door) takes(may Role) string {
	if known := may & d.valid.Load().roles(); known != 0 {
		return known.String()
	}
	return Operate.String() + ", which has no token here"
}

// passOf returns the pass of a request. If there is none, the request has been refused.
func (d *door) passOf(w http.ResponseWriter, r *http.Request) (p pass, ok bool) {
	if !d.Tokens.any() {
		return anyone, true
	}
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		if t := d.right(w, r, shown); t != nil {
			return t.pass, true
		}
		return pass{}, false
	}
	if p, ok = d.session(r); !ok {
		d.unknown(w, r)
	}
	return p, ok
}

// unknown refuses a request without a token. A browser gets the form to log in.
func (d *door) unknown(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		d.refused.WithLabelValues(noToken).Inc()
		writeForm(w, r, http.StatusUnauthorized, askToken, false)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="dustbuster"`)
	d.deny(w, r, http.StatusUnauthorized, noToken, "no token: send the header Authorization: Bearer TOKEN, or log in at /login")
}

// right returns the token that a request shows. If the token is wrong, right returns nil, and
// the request has been refused. A right token counts, whatever the peer has shown before.
func (d *door) right(w http.ResponseWriter, r *http.Request, shown string) *token {
	if t := d.valid.Load().shown(strings.TrimSpace(shown)); t != nil {
		return t
	}
	if wait := d.failures.take(peerOf(r.RemoteAddr)); wait > 0 {
		retryAfter(w, wait)
		d.deny(w, r, http.StatusTooManyRequests, tooManyFailures, "the token is wrong, and too many wrong tokens came from this address: wait")
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="dustbuster", error="invalid_token"`)
	d.deny(w, r, http.StatusUnauthorized, wrongToken, "the token is wrong")
	return nil
}

// deny refuses a request, and counts the refusal.
func (d *door) deny(w http.ResponseWriter, r *http.Request, code int, why, reason string) {
	d.refused.WithLabelValues(why).Inc()
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/"):
		refuse(w, code, "", reason)
	case r.URL.Path == "/login":
		writeForm(w, r, code, reason, false)
	default:
		writeText(w, code, reason+"\n")
	}
}

// retryAfter sets the time after which the client may repeat a request.
func retryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

// hostName is a request's host, or a configured one, without port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(strings.TrimSuffix(strings.ToLower(host), "."), "[]")
}

// isLoopback reports whether a host's name is this machine by definition.
func isLoopback(name string) bool {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.IsLoopback()
}

// rulesPath is the path that pages of other origins may read.
const rulesPath = "/api/v1/rules"

// share lets the pages of allowed origins read the rules (CORS). done is true if the request
// was a browser's question whether it may ask, which needs no token. A cookie does not count in
// requests by such pages: a page shows a token, or there is none.
func (d *door) share(w http.ResponseWriter, r *http.Request) (done bool) {
	if r.URL.Path != rulesPath || len(d.Origins) == 0 {
		return false
	}
	h, origin := w.Header(), r.Header.Get("Origin")
	h.Add("Vary", "Origin")
	if !slices.Contains(d.Origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag")
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodGet)
	h.Set("Access-Control-Allow-Headers", "Authorization, If-None-Match")
	h.Set("Access-Control-Max-Age", "600") // seconds
	w.WriteHeader(http.StatusNoContent)
	return true
}
