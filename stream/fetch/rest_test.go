package fetch_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/fetch"
	"dustbuster/stream/fetch/gate"
)

// A site that answers 429 and 503 to everything is asked five times, and then once an
// hour, or once in the time of its Retry-After, if that is longer.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		wish   string
		want   time.Duration
	}{
		{"429", 429, "", time.Hour},
		{"503", 503, "", time.Hour},
		{"503 with a wish for less", 503, "60", time.Hour},
		{"429 with a wish for more", 429, "7200", 2 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, answering(c.status, said(c.wish)), func(t *testing.T, w *world) {
				var said []fetch.Event
				f := w.fetcher(fetch.Options{Trace: func(e fetch.Event) {
					if e.Kind == fetch.Rested {
						said = append(said, e)
					}
				}})
				getMany(t, f, gate.MostBusy)
				for row := gate.MostBusy; row < gate.MostBusy+3; row++ {
					end := time.Now()
					until := refused(t, f, site, fmt.Sprintf("/more/%d", row), fetch.Resting)
					if !until.Equal(end.Add(c.want)) {
						t.Errorf("%d %q: rests until %v, want %v", c.status, c.wish, until, end.Add(c.want))
					}
					if len(said) != row-gate.MostBusy+1 || said[len(said)-1].Row != row || said[len(said)-1].Held != c.want {
						t.Errorf("reported %+v", said)
					}
					time.Sleep(time.Until(until))
					get(t, f, site, fmt.Sprintf("/more/%d", row))
				}
				if n := len(w.seen(time.Second)); n != 1+gate.MostBusy+3 {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

// Another answer ends the row. Answers 429 and 503 count alike. A request without an
// answer does not count.
func TestRestOnlyInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/slow"):
				time.Sleep(time.Minute)
			case strings.HasPrefix(r.URL.Path, "/429"):
				w.WriteHeader(429)
			case strings.HasPrefix(r.URL.Path, "/503"):
				w.WriteHeader(503)
			}
		})
		f := w.fetcher(fetch.Options{})
		for i, target := range []string{"/429", "/503", "/429", "/503", "/fine", "/429", "/slow", "/503", "/429", "/429"} {
			_, err := f.Get(t.Context(), of(site, fmt.Sprintf("%s?%d", target, i)))
			if why := reason(err); why != "" && why != fetch.Timeout {
				t.Errorf("%s: %v", target, err)
			}
		}
		get(t, f, site, "/503?last")
		refused(t, f, site, "/fine?2", fetch.Resting)
	})
}

// A resting site does not delay the other sites of its origin, and still rests in
// another process.
func TestRestOfOneSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Host == site {
				w.WriteHeader(429)
			}
		})
		f := w.fetcher(fetch.Options{Origin: "http://10.0.0.1"})
		getMany(t, f, gate.MostBusy)
		g := w.successor(f, fetch.Options{Origin: "http://10.0.0.1"})
		for _, f := range []*fetch.Fetcher{f, g} {
			if until := refused(t, f, site, "/more", fetch.Resting); time.Until(until) < 58*time.Minute {
				t.Errorf("rests until %v", until)
			}
			get(t, f, "example.net", "/")
		}
		time.Sleep(time.Hour)
		get(t, g, site, "/more")
		refused(t, g, site, "/even more", fetch.Target)
		refused(t, g, site, "/evenmore", fetch.Resting)
	})
}

// The delay is doubled when answers take twice as long as the first answers, and
// doubled again when answers take four times as long. The longest delay is a minute.
func TestSlowAnswers(t *testing.T) {
	inWorld(t, hello, func(t *testing.T, w *world) {
		var said []fetch.Event
		f := w.fetcher(fetch.Options{Delay: time.Second, Trace: func(e fetch.Event) { said = append(said, e) }})
		n := 0
		ask := func(times int, slow time.Duration) (last time.Duration) {
			w.slow = slow
			for range times {
				n++
				get(t, f, site, fmt.Sprintf("/%d", n))
			}
			visits := w.seen(time.Second)
			return visits[len(visits)-1].begin.Sub(visits[len(visits)-2].end)
		}
		for _, step := range []struct {
			times      int
			slow, want time.Duration
		}{
			{30, 300 * time.Millisecond, time.Second},
			{11, 590 * time.Millisecond, time.Second},
			{5, 610 * time.Millisecond, time.Second}, // the median of ten
			{6, 610 * time.Millisecond, 2 * time.Second},
			{11, 1250 * time.Millisecond, 4 * time.Second},
			{11, 20 * time.Second, time.Minute},
			{11, 320 * time.Millisecond, time.Second},
			{11, 610 * time.Millisecond, 2 * time.Second},
			{11, 590 * time.Millisecond, time.Second}, // not reported: hardly quicker than slow
			{11, 610 * time.Millisecond, 2 * time.Second},
		} {
			if got := ask(step.times, step.slow); got.Round(10*time.Millisecond) != step.want {
				t.Errorf("after %d answers of %v: %v between two, want %v", step.times, step.slow, got, step.want)
			}
		}
		want := []string{"slowed 610ms 2s", "slowed 1.25s 4s", "slowed 20s 1m0s", "recovered 320ms 1s", "slowed 610ms 2s"}
		if got := reports(said); !slices.Equal(got, want) {
			t.Errorf("reported %q, want %q", got, want)
		}
	})
}

// reports are the events about a server's tempo, in words.
func reports(events []fetch.Event) (all []string) {
	for _, e := range events {
		if e.Kind == fetch.Slowed || e.Kind == fetch.Recovered {
			all = append(all, fmt.Sprint(e.Kind, " ", e.Took.Round(10*time.Millisecond), " ", e.Delay))
		}
	}
	return all
}

// Answers under half a second are not reported as slow, and neither is a delay of
// nanoseconds, which stands for none.
func TestSlowAnswersNotReported(t *testing.T) {
	for _, c := range []struct {
		name               string
		delay, first, late time.Duration
		want               []string
	}{
		{"under half a second", time.Second, 20 * time.Millisecond, 490 * time.Millisecond, nil},
		{"half a second", time.Second, 20 * time.Millisecond, 500 * time.Millisecond, []string{"slowed 500ms 16s"}},
		{"no delay", 1, 20 * time.Millisecond, 20 * time.Second, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				var said []fetch.Event
				f := w.fetcher(fetch.Options{Delay: c.delay, Trace: func(e fetch.Event) { said = append(said, e) }})
				for i := range 60 {
					if w.slow = c.first; i > 25 {
						w.slow = c.late
					}
					get(t, f, site, fmt.Sprintf("/%d", i))
				}
				if got := reports(said); !slices.Equal(got, c.want) {
					t.Errorf("%v, then %v, at %v: reported %q, want %q", c.first, c.late, c.delay, got, c.want)
				}
			})
		})
	}
}

// Answers of all kinds leave their connection to the next request, unless too much of
// the answer is left.
func TestConnectionsAreKept(t *testing.T) {
	var opened atomic.Int64
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/robots.txt":
			http.NotFound(w, r)
		case strings.HasPrefix(path, "/packed"):
			w.Header().Set("Content-Encoding", "gzip")
			say(w, gzipped([]byte(strings.Repeat("hello", 1000))))
		case strings.HasPrefix(path, "/missing"):
			w.WriteHeader(404)
			say(w, strings.Repeat("not here ", 20_000))
		case strings.HasPrefix(path, "/moved"):
			http.Redirect(w, r, "/plain?to", http.StatusFound)
		case strings.HasPrefix(path, "/failed"):
			w.WriteHeader(500)
			for range 100 { // in chunks
				say(w, "sorry ")
				w.(http.Flusher).Flush()
			}
		case strings.HasPrefix(path, "/long"):
			w.WriteHeader(404)
			say(w, strings.Repeat("x", fetch.MostLeft+1<<20))
		case strings.HasPrefix(path, "/cut"):
			say(w, strings.Repeat("x", 600_000))
		default:
			hello(w, r)
		}
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	srv.Start()
	defer srv.Close()
	f := loopbackFetcher(t, fetch.Options{Origin: srv.URL, MaxBody: 500_000})
	for i := range 60 {
		get(t, f, site, fmt.Sprintf("/%s?%d", []string{"plain", "packed", "missing", "moved", "failed"}[i%5], i))
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for 60 documents", n)
	}
	for i := range 4 {
		get(t, f, site, fmt.Sprintf("/%s?%d", []string{"long", "cut"}[i%2], i))
	}
	get(t, f, site, "/plain")
	if n := opened.Load(); n != 3 { // only "long" leaves too much
		t.Errorf("%d connections", n)
	}
}

// Get does not wait for the end of an unwanted answer: Get returns at once, and the
// connection is given up.
func TestEndIsNotWaitedFor(t *testing.T) {
	origin := rawServer(t, func(conn net.Conn, _ string) {
		say(conn, "HTTP/1.1 404 No\r\nContent-Length: 1000\r\n\r\n")
		drip(conn, "x")
	})
	f := loopbackFetcher(t, fetch.Options{Origin: origin})
	begin := time.Now()
	for i := range 2 {
		if d := get(t, f, site, fmt.Sprintf("/%d", i)); d.Status != 404 {
			t.Errorf("status %d", d.Status)
		}
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("waited for %v", took)
	}
}

// fickle is a server that answers one request on each connection, and closes the
// connection after reading the next request. It records the requests and their times.
func fickle(t *testing.T) (origin string, asked func() ([]string, []time.Time)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	var mu sync.Mutex
	var paths []string
	var times []time.Time
	serve := func(conn net.Conn) {
		defer conn.Close()
		for n := range 2 {
			head := readHead(conn)
			if head == "" {
				return
			}
			mu.Lock()
			paths, times = append(paths, strings.Fields(head)[1]), append(times, time.Now())
			mu.Unlock()
			if n == 0 {
				say(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}
		}
	}
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			go serve(conn)
		}
	}()
	return "http://" + l.Addr().String(), func() ([]string, []time.Time) {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths), slices.Clone(times)
	}
}

// If a server closes the connection without an answer, the request is repeated once on
// a new connection. The repetition is a request like any other: it waits for the delay,
// and it counts.
func TestRepeatsCount(t *testing.T) {
	const total, delay = 6, 50 * time.Millisecond
	origin, asked := fickle(t)
	f := loopbackFetcher(t, fetch.Options{Origin: origin, Total: total, Delay: delay})
	var err error
	for i := 0; i < total && err == nil; i++ {
		_, err = f.Get(t.Context(), of(site, "/"+string(rune('a'+i))))
	}
	wantReason(t, err, fetch.Spent)
	paths, times := asked()
	if want := []string{"/robots.txt", "/a", "/a", "/b", "/b", "/c"}; !slices.Equal(paths, want) || f.Stats().Requests != total {
		t.Errorf("asked for %q, want %q; %d requests counted", paths, want, f.Stats().Requests)
	}
	for i := range len(times) - 1 {
		if d := times[i+1].Sub(times[i]); d < delay {
			t.Errorf("%s came %v after %s, want %v", paths[i+1], d, paths[i], delay)
		}
	}
}
