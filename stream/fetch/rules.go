package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
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

func sizeOf(_ string, r rules) int64 {
	const overhead = 256 // of an entry
	if r.robots == nil {
		return overhead
	}
	return overhead + int64(r.robots.size)
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
// robots.txt, in the turn of its host and of each other host to which it redirects. A failure of
// the server is part of the rules.
func (f *Fetcher) obey(ctx context.Context, p place, pass *Pass) error {
	at, left := p, maxRedirects
	at.path, at.redirects, at.purpose = "/robots.txt", 0, ForRobots
	r, known := f.known(p)
	for !known {
		err := f.inTurn(ctx, at, pass, func(t *turn) (err error) {
			if r, known = f.known(p); known { // meanwhile
				return nil
			}
			next, got, err := t.robotsFile(ctx, at, &left)
			if next != nil {
				at = *next
				return nil
			}
			r, err = f.learn(p.host, got, err) // before the next goroutine has the turn
			known = err == nil
			return err
		})
		if err != nil {
			return err
		}
	}
	return r.check(p)
}

// learn keeps the result of requesting a host's robots.txt. An error that says nothing of the server
// is returned.
func (f *Fetcher) learn(host string, got *robots, err error) (rules, error) {
	r := rules{robots: got, failed: err, until: time.Now().Add(robotsFor)}
	if err != nil {
		if !isAnswer(err) {
			return r, err
		}
		r.until = time.Now().Add(robotsRetry)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules.Add(host, r)
	return r, nil
}

// isAnswer reports whether an error is a failure of the server and not of this side.
func isAnswer(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return !ok || slices.Contains([]Reason{Timeout, Network, Encoding, Target}, e.Reason)
}

// robotsFile requests a host's robots.txt at a place of the site. Redirects to the same host are followed. If it is
// at another host of the site, robotsFile returns that place. left is the number of redirects left. The URL is matched
// neither against actions nor against rules.
func (t *turn) robotsFile(ctx context.Context, p place, left *int) (*place, *robots, error) {
	for {
		parsed := new(robots)
		got, err := t.ask(ctx, p, nil, readRobots(parsed))
		switch {
		case err != nil:
			return nil, nil, err
		case got.Status/100 == 2, got.Status/100 == 4 && got.Status != http.StatusTooManyRequests:
			return nil, parsed, nil // 4xx: there is none (RFC 9309, section 2.3.1.3)
		case !got.redirects():
			return nil, nil, fmt.Errorf("status %d", got.Status)
		}
		next, err := p.follow(t.f.origin(p.site), got.location)
		if err != nil || *left == 0 || !t.f.same(p, next) {
			return nil, nil, t.f.moved(p, got.location)
		}
		if *left--; next.host != p.host {
			return &next, nil, nil
		}
		p = next
	}
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
