package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"code.dny.dev/ssrf"
)

// Reason is why there is no document.
type Reason string

// The reasons. None says anything about the page: to a trial all are skips, or no
// outcome yet.
const (
	Robots    Reason = "robots"    // robots.txt forbids it, or asks for more than an hour between requests; Until: asked for again
	Closed    Reason = "closed"    // robots.txt cannot be had, which closes the host (RFC 9309, section 2.3.1.4); Until: asked for again
	Action    Reason = "action"    // the URL looks like one that does something
	Pattern   Reason = "pattern"   // a pattern of Options.Never matches the path
	Secret    Reason = "secret"    // the URL looks as if it held a secret: a session, a link for one person
	Budget    Reason = "budget"    // the site's hour is used up; Until: when the next begins
	Spent     Reason = "spent"     // Options.Total requests have been made
	Held      Reason = "held"      // the context would end before the host may be asked; Until: when it may
	Resting   Reason = "resting"   // the site has answered 429 or 503 several times in a row; Until: when it may be asked again
	Address   Reason = "address"   // the host leads to an address or a port that may not be connected to
	NoOrigin  Reason = "no origin" // nothing says where the site may be fetched from
	Target    Reason = "target"    // not a string that can be asked for, here or in a redirect
	OffSite   Reason = "off site"  // a redirect to another host, or from https to http; Location
	Loop      Reason = "loop"      // redirects in a circle, or too many; over an http origin also those of a site that wants https
	Timeout   Reason = "timeout"   // connecting, header and body took longer than Options.Timeout
	Encoding  Reason = "encoding"  // a content encoding that was not asked for, or a damaged one
	Network   Reason = "network"   // no connection, or no answer that could be understood
	Full      Reason = "full"      // Options.MaxHosts have been asked within the hour
	Barred    Reason = "barred"    // Options.Allow said no; Until: soon
	Cancelled Reason = "cancelled" // the context ended; Err is its error
)

// Error is what Get returns in the place of a document. At the end of a chain of
// redirects, Site and Target are those of the hop that failed.
type Error struct {
	Reason   Reason
	Site     string
	Target   string
	Location string    // OffSite: where the redirect leads, as the server wrote it
	Until    time.Time // asking earlier gives the same answer; zero: not known
	Err      error     // the cause, where there is one
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

// failure is the reason for an error of the connection. The caller's context
// comes first: what it ended looks like a timeout.
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
