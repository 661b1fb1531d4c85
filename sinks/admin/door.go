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
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// door decides which requests are let in.
type door struct {
	loopback bool            // only this machine reaches the listener
	hosts    map[string]bool // names of the listener, besides those of loopback
	file     string          // of the token; "": no token is required
	token    atomic.Pointer[token]
	failures *limiter
	streams  streams
	origin   *http.CrossOriginProtection
	refused  *prometheus.CounterVec

	allowHost string         // Options.AllowHost
	pagesFrom []netip.Prefix // Options.PagesFrom
}

// Reasons of refusals, as in the metric.
const (
	wrongHost       = "host"
	crossOrigin     = "cross_origin"
	noToken         = "no_token"
	wrongToken      = "wrong_token"
	tooManyFailures = "too_many_failures"
	tooManyStreams  = "too_many_streams"
)

// ErrNoToken is the error of an address beyond loopback if no token is set.
var ErrNoToken = errors.New("others could reach this address, and no token is set")

// newDoor returns the door of a listener.
func newDoor(o *Options, loopback bool) (*door, error) {
	d := &door{loopback: loopback, hosts: map[string]bool{}, file: o.TokenFile, allowHost: cmp.Or(o.AllowHost, "allow the name"), pagesFrom: o.PagesFrom, failures: newLimiter(), origin: http.NewCrossOriginProtection(),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dustbuster_admin_refused_total", Help: "Requests to this listener that were refused, by reason."}, []string{"reason"})}
	for _, reason := range []string{wrongHost, crossOrigin, noToken, wrongToken, tooManyFailures, tooManyStreams} {
		d.refused.WithLabelValues(reason)
	}
	for _, host := range o.Hosts {
		d.hosts[hostName(host)] = true
	}
	if name, _, err := net.SplitHostPort(o.Listen); err == nil && name != "" {
		d.hosts[hostName(name)] = true
	}
	if d.file == "" {
		if !loopback {
			return nil, ErrNoToken
		}
		return d, nil
	}
	return d, d.read()
}

// read reads the token. When a new token replaces the old token, requests admitted by the
// old token end.
func (d *door) read() error {
	text, err := ReadToken(d.file)
	if err != nil {
		return err
	}
	t, old := newToken(text), d.token.Load()
	if old != nil && old.sum == t.sum {
		return nil
	}
	d.token.Store(t)
	if old != nil {
		old.replace()
	}
	return nil
}

// guard refuses requests for other hosts, posts by other sites' pages, and requests without
// the token. Answers are neither cached nor sniffed.
func (d *door) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		switch {
		case !d.knows(r.Host):
			d.deny(w, r, http.StatusMisdirectedRequest, wrongHost, fmt.Sprintf("the host %q is not a name of this listener: use localhost or the address, or %s", r.Host, d.allowHost))
		case d.origin.Check(r) != nil:
			d.deny(w, r, http.StatusForbidden, crossOrigin, "a cross-origin request, by a page of another site: a proxy in front must pass the Host header on")
		case isProbe(r) || d.file != "" && (r.URL.Path == "/login" || r.URL.Path == "/logout"):
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

// admit lets in requests with the token, or with a cookie made from the token.
func (d *door) admit(w http.ResponseWriter, r *http.Request, next http.Handler) {
	t := d.token.Load()
	if t == nil {
		next.ServeHTTP(w, r)
		return
	}
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		if cookie, err := r.Cookie(cookieName); err != nil || !t.gave(cookie.Value, time.Now()) {
			d.unknown(w, r)
			return
		}
	} else if !d.right(w, r, t, shown) {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(t.held, cancel)()
	next.ServeHTTP(w, r.WithContext(ctx))
}

// unknown refuses a request without a token. A browser gets the form to log in.
func (d *door) unknown(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		d.refused.WithLabelValues(noToken).Inc()
		writeForm(w, r, http.StatusUnauthorized, "Log in with the token of this listener.", false)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="dustbuster"`)
	d.deny(w, r, http.StatusUnauthorized, noToken, "no token: send the header Authorization: Bearer TOKEN, or log in at /login")
}

// right reports whether a request shows the token. If not, the request has been refused.
func (d *door) right(w http.ResponseWriter, r *http.Request, t *token, shown string) bool {
	ok, wait := d.failures.try(peerOf(r.RemoteAddr), func() bool { return t.is(strings.TrimSpace(shown)) })
	switch {
	case ok:
	case wait > 0:
		retryAfter(w, wait)
		d.deny(w, r, http.StatusTooManyRequests, tooManyFailures, "too many wrong tokens from this address: wait")
	default:
		w.Header().Set("WWW-Authenticate", `Bearer realm="dustbuster", error="invalid_token"`)
		d.deny(w, r, http.StatusUnauthorized, wrongToken, "the token is wrong")
	}
	return ok
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
