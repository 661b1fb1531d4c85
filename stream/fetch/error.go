package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"code.dny.dev/ssrf"
)

// Reason says why there is no document.
type Reason string

// The reasons. No reason says anything about the page: a trial treats each as a skip,
// or as no outcome yet.
const (
	Robots    Reason = "robots"    // robots.txt forbids the URL, or asks for more than an hour between requests; Until: robots.txt is requested again
	Closed    Reason = "closed"    // robots.txt cannot be fetched, which closes the host (RFC 9309, section 2.3.1.4); Until: robots.txt is requested again
	Action    Reason = "action"    // the URL looks like an action
	Pattern   Reason = "pattern"   // a pattern of Options.Never matches the path
	Secret    Reason = "secret"    // the URL looks as if it held a secret: a session, a link for one person
	Unasked   Reason = "unasked"   // a redirect to a URL that nobody is known to ask for: see Request.MayLead
	Budget    Reason = "budget"    // the site's budget for the hour is used up; Until: start of the next hour
	Spent     Reason = "spent"     // Options.Total requests have been made
	Held      Reason = "held"      // the context ends before the host may be asked; Until: the host may be asked
	Resting   Reason = "resting"   // the site has answered 429 or 503 several times in a row; Until: the site may be asked again
	Address   Reason = "address"   // the host leads to an address or a port to which connections are not allowed
	NoOrigin  Reason = "no origin" // no origin is configured for the site
	Target    Reason = "target"    // the string cannot be requested, here or in a redirect
	OffSite   Reason = "off site"  // a redirect to another host, or from https to http; Location
	Loop      Reason = "loop"      // a circle of redirects, or too many; with an http origin also the redirects of a site that wants https
	Timeout   Reason = "timeout"   // connecting, header and body took longer than Options.Timeout
	Encoding  Reason = "encoding"  // a damaged content encoding, or one that was not asked for
	Network   Reason = "network"   // no connection, or no intelligible answer
	Missing   Reason = "missing"   // the archive has no response at the URL
	Full      Reason = "full"      // Options.MaxHosts have been asked within the hour
	Barred    Reason = "barred"    // Options.Allow returned false; Until: soon
	Cancelled Reason = "cancelled" // the context ended; Err is its error
)

// Error is the error of Get. At the end of a chain of redirects, Site and Target are
// those of the hop that failed.
type Error struct {
	Reason   Reason
	Site     string
	Target   string
	Location string    // OffSite: target of the redirect, as the server wrote it
	Until    time.Time // an earlier request gives the same answer; zero: unknown
	Err      error     // the cause, or nil
}

func (e *Error) Error() string {
	s := fmt.Sprintf("fetch %q of site %q: %s", e.Target, e.Site, e.Reason)
	if e.Location != "" {
		s += fmt.Sprintf(": redirect to %q", e.Location)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func (p place) refuse(reason Reason, cause error) *Error {
	return &Error{Reason: reason, Site: p.site, Target: p.target(), Err: cause}
}

func (p place) refuseUntil(reason Reason, until time.Time, cause error) *Error {
	e := p.refuse(reason, cause)
	e.Until = until
	return e
}

// failure returns the reason for an error of the connection. The caller's context is
// checked first, because its end looks like a timeout.
func failure(ctx context.Context, err error) (Reason, error) {
	var network net.Error
	switch {
	case ctx.Err() != nil:
		return Cancelled, ctx.Err()
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedPort),
		errors.Is(err, ssrf.ErrProhibitedNetwork), errors.Is(err, ssrf.ErrInvalidHostPort):
		return Address, err
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return Timeout, err
	case errors.Is(err, errEncoding):
		return Encoding, err
	}
	return Network, err
}
