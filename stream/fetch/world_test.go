package fetch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/fetch"
)

const site = "example.org"

// world is a server without a network, whose clock is the bubble's clock. It records
// who asks and when.
type world struct {
	t     *testing.T
	serve http.HandlerFunc // serves everything except robots.txt
	slow  time.Duration    // duration of an answer

	mu     sync.Mutex
	robots string                   // "": there is none
	code   int                      // of robots.txt, if not 0
	moved  func(host string) string // where robots.txt lies instead; nil: at its usual place
	visits []visit
	now    map[string]int // requests in flight, by host
}

type visit struct {
	host, path string
	begin, end time.Time
	crowd      int // requests in flight to the host, this request included
	header     http.Header
}

func newWorld(t *testing.T, serve http.HandlerFunc) *world {
	return &world{t: t, serve: serve, now: map[string]int{}}
}

func (w *world) setRobots(text string) {
	w.mu.Lock()
	w.robots = text
	w.mu.Unlock()
}

// fetcher returns a Fetcher with connections into the world and otherwise short times.
func (w *world) fetcher(o fetch.Options) *fetch.Fetcher {
	w.t.Helper()
	if o.Scheme == "" && o.Origin == "" {
		o.Scheme = "http"
	}
	o.Dial = w.dial
	f, err := fetch.New(o)
	must(w.t, err)
	return f
}

func (w *world) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	go w.answer(far)
	return near, nil
}

// answer serves the one request of a connection.
func (w *world) answer(conn net.Conn) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	w.mu.Lock()
	w.now[req.Host]++
	w.visits = append(w.visits, visit{host: req.Host, path: req.RequestURI, begin: time.Now(), crowd: w.now[req.Host], header: req.Header})
	i := len(w.visits) - 1
	robots, code, moved := w.robots, w.code, w.moved
	w.mu.Unlock()

	time.Sleep(w.slow)
	rec := httptest.NewRecorder()
	switch {
	case req.RequestURI == "/robots.txt" && moved != nil:
		http.Redirect(rec, req, moved(req.Host), http.StatusFound)
	case req.RequestURI != "/robots.txt" && req.RequestURI != "/real-robots.txt":
		w.serve(rec, req)
	case code != 0:
		rec.WriteHeader(code)
	case robots == "":
		rec.WriteHeader(404)
	default:
		say(rec, robots)
	}

	w.mu.Lock()
	w.now[req.Host]--
	w.visits[i].end = time.Now()
	w.mu.Unlock()
	resp := rec.Result()
	resp.ContentLength, resp.Close = int64(rec.Body.Len()), true
	_ = resp.Write(conn)
}

// seen returns the visits so far, after checking their politeness: one request at a
// time to each host, and the delay after the end of the previous request.
func (w *world) seen(delay time.Duration) []visit {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	last := map[string]visit{}
	for _, v := range w.visits {
		if v.crowd != 1 {
			w.t.Errorf("%d requests to %s at once", v.crowd, v.host)
		}
		if before, ok := last[v.host]; ok && v.begin.Sub(before.end) < delay {
			w.t.Errorf("%s%s came %v after %s had ended, want %v", v.host, v.path, v.begin.Sub(before.end), before.path, delay)
		}
		last[v.host] = v
	}
	return w.visits
}

func (w *world) paths(delay time.Duration) []string {
	w.t.Helper()
	var paths []string
	for _, v := range w.seen(delay) {
		paths = append(paths, v.path)
	}
	return paths
}

// inWorld runs a test in which time passes when all goroutines wait.
func inWorld(t *testing.T, serve http.HandlerFunc, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newWorld(t, serve)) })
}

func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s", r.RequestURI) }

// answering returns a handler that answers everything with a status, and with a Retry-After
// unless it is nil.
func answering(status int, wish func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if wish != nil {
			w.Header().Set("Retry-After", wish())
		}
		w.WriteHeader(status)
	}
}

// said returns a wish for Retry-After that is always the same.
func said(wish string) func() string { return func() string { return wish } }

// successor returns a Fetcher of another process that resumes the politeness of f.
func (w *world) successor(f *fetch.Fetcher, o fetch.Options) *fetch.Fetcher {
	w.t.Helper()
	g := w.fetcher(o)
	g.Restore(f.States())
	return g
}

// reason returns the Reason of an error.
func reason(err error) fetch.Reason {
	var e *fetch.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// wantReason checks the Reason and returns its Until.
func wantReason(t *testing.T, err error, want fetch.Reason) (until time.Time) {
	t.Helper()
	var e *fetch.Error
	if !errors.As(err, &e) || e.Reason != want {
		t.Fatalf("error %v, want reason %q", err, want)
	}
	return e.Until
}

// refused gets a document, checks the Reason why there is none, and returns its Until.
func refused(t *testing.T, f *fetch.Fetcher, site, target string, want fetch.Reason) (until time.Time) {
	t.Helper()
	_, err := f.Get(t.Context(), of(site, target))
	return wantReason(t, err, want)
}

// say writes to a peer that may have closed the connection.
func say(w io.Writer, s string) { _, _ = io.WriteString(w, s) }

// listen reads until the peer ends.
func listen(r io.Reader) { _, _ = io.Copy(io.Discard, r) }

// of is a Request for a document; freshly is one that does without the cache.
func of(site, target string) fetch.Request { return fetch.Request{Site: site, Target: target} }

func freshly(site, target string) fetch.Request {
	return fetch.Request{Site: site, Target: target, Fresh: true}
}

func get(t *testing.T, f *fetch.Fetcher, site, target string) fetch.Document {
	t.Helper()
	d, err := f.Get(t.Context(), of(site, target))
	must(t, err)
	return d
}

// getMany gets the documents /0, /1 and so on.
func getMany(t *testing.T, f *fetch.Fetcher, n int) {
	t.Helper()
	for i := range n {
		get(t, f, site, fmt.Sprintf("/%d", i))
	}
}

// must ends a test at an error.
var must = expect.NoError
