package fetch

import (
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

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
	f := loopbackFetcher(t, Options{Origin: origin, Total: total, Delay: delay})
	var err error
	for i := 0; i < total && err == nil; i++ {
		_, err = f.Get(t.Context(), site, "/"+string(rune('a'+i)))
	}
	wantReason(t, err, Spent)
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
