package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// answer is a server's answer at one place, as held in the cache. The Document has no place.
type answer struct {
	Document
	location string
	etag     string // as the server sent it; "" if too long to keep
	modified string
	failures int // answers 5xx in a row, up to this one
}

// errInterim is the error of an answer that is not final. A 101 switches to another
// protocol, which was not asked for.
var errInterim = errors.New("read answer: no final status")

// errHungUp is the error of a reused connection that was closed before the first byte
// of an answer.
var errHungUp = errors.New("the server hung up")

// maxKept bounds each header field kept with an answer, in bytes.
const maxKept = 1024

// barred is the time after which a barred site may be tried again.
const barred = time.Second

// ask requests a place, with the turn held. If old is not nil, the request is
// conditional on a change of old. A server may close a connection just when it is
// reused. Then ask repeats the request once, on a new connection.
func (t *turn) ask(ctx context.Context, p place, old *answer, read reader) (*answer, error) {
	got, err := t.once(ctx, p, old, read)
	if errors.Is(err, errHungUp) {
		return t.once(ctx, p, old, read)
	}
	return got, err
}

// once sends one request, after the polite pause.
func (t *turn) once(ctx context.Context, p place, old *answer, read reader) (*answer, error) {
	if err := t.wait(ctx, p); err != nil {
		return nil, err
	}
	req, err := t.f.request(p, old)
	if err != nil {
		return nil, p.refuse(Target, err)
	}
	if !t.f.o.Allow(p.site) {
		return nil, p.refuseUntil(Barred, time.Now().Add(barred), nil)
	}
	e := Event{Kind: Requested, Site: p.site, URL: p.url(), Purpose: p.purpose, Redirects: p.redirects}
	if e.At, err = t.begin(p); err != nil {
		return nil, err
	}
	got, err := t.exchange(ctx, req, old, read, &e)
	e.Took = time.Since(e.At)
	if got != nil && got.redirects() {
		e.Location = got.location
	}
	if err != nil {
		e.Reason, e.Err = failure(ctx, err)
		err = p.refuse(e.Reason, e.Err)
	}
	if e.Reason == Timeout {
		e.Held = max(e.Held, t.f.rest()) // the server may still be working on the request
	}
	for _, told := range t.end(p, &e) {
		t.f.emit(told)
	}
	return got, err
}

func (f *Fetcher) request(p place, old *answer) (*http.Request, error) {
	u, err := p.asked()
	if err != nil {
		return nil, err
	}
	req := &http.Request{Method: http.MethodGet, URL: u, Host: p.header(), Header: http.Header{
		"User-Agent":      {f.agent},
		"Accept":          {"*/*"},
		"Accept-Encoding": {"gzip"},
	}}
	if old != nil && old.etag != "" {
		req.Header["If-None-Match"] = []string{old.etag}
	}
	if old != nil && old.modified != "" {
		req.Header["If-Modified-Since"] = []string{old.modified}
	}
	return req, nil
}

// asked returns a URL whose request line holds the path byte for byte. The library
// keeps an opaque path unchanged, except a path that begins with //; such a path must
// be parsed.
func (p place) asked() (*url.URL, error) {
	path, query, hasQuery := strings.Cut(p.path, "?")
	u := &url.URL{Scheme: p.scheme, Host: p.header(), RawQuery: query, ForceQuery: hasQuery && query == ""}
	if strings.HasPrefix(path, "//") {
		decoded, err := url.PathUnescape(path)
		if err != nil {
			return nil, err
		}
		u.Path, u.RawPath = decoded, path
	} else {
		u.Opaque = path
	}
	if u.RequestURI() != p.path {
		return nil, errTarget
	}
	return u, nil
}

// exchange sends one request and reads its answer, within the time of one request, and
// records the facts in the event.
func (t *turn) exchange(ctx context.Context, req *http.Request, old *answer, read reader, e *Event) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, t.f.o.Timeout)
	defer cancel()
	resp, err := roundTrip(ctx, t.server.transport, req)
	if err != nil {
		return nil, err
	}
	defer leftOver(resp.Body, cancel)
	if resp.StatusCode < 200 {
		return nil, errInterim
	}
	now := time.Now()
	e.Status, e.Held = resp.StatusCode, t.f.wish(resp, now)
	if resp.StatusCode == http.StatusNotModified && old != nil {
		same := *old
		same.At = now
		return &same, nil
	}
	got := answerOf(resp, now)
	if got.Status/100 == 2 { // no other body is ever compared
		e.Bytes, err = read(resp, got)
	}
	return got, err
}

// answerOf returns a response as an answer, without its body.
func answerOf(resp *http.Response, now time.Time) *answer {
	return &answer{
		Document: Document{
			Status:      resp.StatusCode,
			ContentType: kept(resp.Header.Get("Content-Type")),
			Header:      headerSize(resp),
			Said:        Said{kept(canonicalLink(resp.Header)), noIndex(resp.Header), varies(resp.Header)},
			At:          now,
		},
		location: resp.Header.Get("Location"),
		etag:     kept(resp.Header.Get("ETag")),
		modified: kept(resp.Header.Get("Last-Modified")),
	}
}

// roundTrip sends a request exactly once. By default the library resends a GET by
// itself, at once and unseen, if a reused connection is closed. A request with a body
// that cannot be read again is not resent. The body here is empty, and no byte of it is
// sent.
func roundTrip(ctx context.Context, over *http.Transport, req *http.Request) (*http.Response, error) {
	var reused, answered atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(c httptrace.GotConnInfo) { reused.Store(c.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	})
	req = req.WithContext(ctx)
	req.Body = io.NopCloser(strings.NewReader(""))
	resp, err := over.RoundTrip(req)
	if err != nil && reused.Load() && !answered.Load() && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errHungUp, err)
	}
	return resp, err
}

func kept(s string) string {
	if len(s) > maxKept {
		return ""
	}
	return s
}

// busy reports whether a status means that the server is overloaded.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// wish returns how long a server that answers 429 or 503 asks to be left alone: its
// Retry-After (RFC 9110, section 10.2.3), or a rest without one.
func (f *Fetcher) wish(resp *http.Response, now time.Time) time.Duration {
	if !busy(resp.StatusCode) {
		return 0
	}
	if d, ok := retryAfter(resp.Header.Get("Retry-After"), now); ok {
		return min(d, maxHold)
	}
	return f.rest()
}

// rest returns the pause for an overloaded server without a Retry-After.
func (f *Fetcher) rest() time.Duration { return min(10*f.o.Delay, maxHold) }

// forever is longer than any hold obeyed.
const forever = 100 * 365 * 24 * time.Hour

// retryAfter parses a number of seconds, or a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(forever/time.Second) {
			return forever, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(date.Sub(now), 0), true
}
