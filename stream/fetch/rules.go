package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// rules are the rules in force for a host, from its robots.txt.
type rules struct {
	robots *robots
	failed error // why robots.txt could not be fetched; then nothing may be fetched
	until  time.Time
}

var (
	errForbidden = errors.New("forbidden")
	errSlow      = fmt.Errorf("robots.txt asks for more than %v between requests", maxCrawlDelay)
)

// maxRules bounds the rules of all hosts, in bytes: of fewer hosts than MaxHosts, if their files are
// hostile. The rules of one host take at most 3 MiB.
const maxRules = 64 << 20

func (r rules) size() int {
	const overhead = 256 // of an entry
	if r.robots == nil {
		return overhead
	}
	return overhead + r.robots.size
}

// known returns the rules of a host, if still in force.
func (f *Fetcher) known(p place) (rules, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.rules.Get(p.host)
	return r, ok && time.Now().Before(r.until)
}

// delay returns the delay between requests to a host, as far as known: by its
// robots.txt, or else by the last delay of the site's hosts, perhaps from before a
// restart. The caller holds mu.
func (f *Fetcher) delay(p place, site *door) time.Duration {
	wished := site.Delay
	if r, ok := f.rules.Get(p.host); ok && r.robots != nil {
		wished = r.robots.delay
	}
	return min(max(f.o.Delay, wished), max(f.o.Delay, maxCrawlDelay))
}

// check returns nil if the rules allow fetching a place.
func (r rules) check(p place) error {
	switch {
	case r.failed != nil:
		return p.refuseUntil(Closed, r.until, r.failed)
	case r.robots.delay > maxCrawlDelay:
		return p.refuseUntil(Robots, r.until, errSlow)
	case !r.robots.allowed(p.path):
		return p.refuseUntil(Robots, r.until, errForbidden)
	}
	return nil
}

// obey returns nil if the rules of a place's host allow fetching it. If need be, it requests
// robots.txt. A failure of the server is part of the rules.
func (t *turn) obey(ctx context.Context, p place) error {
	r, ok := t.f.known(p)
	if !ok {
		at := p
		at.path, at.redirects, at.purpose = "/robots.txt", 0, ForRobots
		got, err := t.robotsFile(ctx, at, t.f.o.MaxRedirects)
		if r, err = t.f.learn(p.host, got, err); err != nil {
			return err
		}
	}
	return r.check(p)
}

// elsewhere says that a host's robots.txt lies at another host of the site. This is not
// a failure, but the request must wait for the other host's turn.
type elsewhere struct {
	at   place
	left int // number of redirects that may still be followed
}

// Error names the other place.
func (e *elsewhere) Error() string { return "robots.txt is at " + e.at.url() }

// pursue requests the robots.txt of p's host at the other host.
func (f *Fetcher) pursue(ctx context.Context, p place, pass *Pass, moved *elsewhere) error {
	for {
		err := f.inTurn(ctx, moved.at, pass, func(t *turn) error {
			if _, ok := f.known(p); ok {
				return nil
			}
			got, err := t.robotsFile(ctx, moved.at, moved.left)
			_, err = f.learn(p.host, got, err)
			return err
		})
		if !errors.As(err, &moved) {
			return err
		}
	}
}

// learn keeps the result of requesting a host's robots.txt.
func (f *Fetcher) learn(host string, got *robots, err error) (rules, error) {
	r := rules{robots: got, failed: err, until: time.Now().Add(f.o.RobotsFor)}
	if err != nil {
		if !isAnswer(err) {
			return rules{}, err
		}
		r.until = time.Now().Add(robotsRetry)
	}
	f.mu.Lock()
	f.rules.Add(host, r)
	f.mu.Unlock()
	return r, nil
}

// isAnswer reports whether an error is a failure of the server and not of this side.
func isAnswer(err error) bool {
	var moved *elsewhere
	if errors.As(err, &moved) {
		return false
	}
	var e *Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Reason {
	case Timeout, Network, Encoding, Target:
		return true
	}
	return false
}

// robotsFile requests a host's robots.txt at p. Redirects to p's host are followed. The
// URL is matched neither against actions nor against rules.
func (t *turn) robotsFile(ctx context.Context, p place, redirects int) (*robots, error) {
	to, f := "", t.f
	for left := redirects; left >= 0; left-- {
		parsed := new(robots)
		got, err := t.ask(ctx, p, nil, readRobots(parsed))
		switch {
		case err != nil:
			return nil, err
		case got.Status/100 == 2:
			return parsed, nil
		case got.redirects():
			to = got.location
			next, err := p.follow(f.origin(p.site), to)
			switch {
			case err != nil:
				return nil, f.moved(p, to)
			case next.host == p.host:
				p = next
			case left > 0 && f.same(p, next):
				return nil, &elsewhere{next, left - 1}
			default:
				return nil, f.moved(p, to)
			}
		case got.Status/100 == 4 && got.Status != http.StatusTooManyRequests:
			return parsed, nil // RFC 9309, section 2.3.1.3: there is none
		default:
			return nil, fmt.Errorf("status %d", got.Status)
		}
	}
	return nil, f.moved(p, to)
}

// moved returns the error of a robots.txt whose redirects lead nowhere.
func (f *Fetcher) moved(p place, to string) error {
	hint := ""
	if f.wantsTLS(p, to) {
		hint = "; " + errTLS.Error()
	}
	return fmt.Errorf("redirected in a circle or away from the site, at last to %.200q%s", to, hint)
}

var errTLS = errors.New("the site requires https: configure an https origin")

// wantsTLS reports whether a redirect leads to https although the origin has only http.
func (f *Fetcher) wantsTLS(p place, to string) bool {
	o := f.origin(p.site)
	return o != nil && o.scheme == "http" && strings.HasPrefix(to, "https:")
}

// readRobots reads robots.txt up to maxRobots. A line cut off there is left out, because half
// of it may have another meaning.
func readRobots(into *robots) reader {
	return func(resp *http.Response, got *answer) (int64, error) {
		body, wire, truncated, err := readBody(resp, maxRobots)
		if err != nil {
			return wire, err
		}
		if truncated {
			body = body[:bytes.LastIndexAny(body, "\r\n")+1]
		}
		*into = *parseRobots(body)
		return wire, nil
	}
}
