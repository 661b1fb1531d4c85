package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"dustbuster/stream/fetch"
)

// told asks an origin that serves like serve, under a host.
func told(t *testing.T, serve http.HandlerFunc, target, host string) (fetch.Told, *world, error) {
	t.Helper()
	w := newWorld(t, serve)
	f := w.fetcher(fetch.Options{Origin: "http://10.0.0.7", Delay: 1})
	got, err := f.Under(t.Context(), of("www.shop.example", target), host)
	return got, w, err
}

func TestUnder(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<p>Welcome to %s, that is %s, or %s", r.Host, strings.ToUpper(r.Host), strings.TrimPrefix(r.Host, "www."))
	}
	moves := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "https://"+r.Host+"/x")
		w.WriteHeader(http.StatusMovedPermanently)
	}
	own, w, err := told(t, echo, "/a", "")
	if err != nil || own.Status != 200 {
		t.Fatal(own, err)
	}
	made, _, err := told(t, echo, "/a", "x12.invalid")
	if text := string(own.Content.([]byte)); err != nil || strings.Contains(strings.ToLower(text), "shop.example") || text != string(made.Content.([]byte)) {
		t.Errorf("%q and %q, %v", own.Content, made.Content, err)
	}
	if hosts := hostsOf(w); strings.Join(hosts, " ") != "www.shop.example/robots.txt www.shop.example/a" {
		t.Error("asked", hosts)
	}
	moved, w, err := told(t, moves, "/a", "x12.invalid")
	if err != nil || moved.Status != 301 || strings.Contains(moved.Location, "invalid") || !strings.HasPrefix(moved.Location, "https://") {
		t.Errorf("%+v, %v", moved, err)
	}
	if hosts := hostsOf(w); strings.Join(hosts, " ") != "www.shop.example/robots.txt x12.invalid/a" {
		t.Error("a redirect was followed:", hosts)
	}
}

func hostsOf(w *world) (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range w.visits {
		all = append(all, v.host+v.path)
	}
	return all
}

// A server that hangs up for hosts that it does not know has given an answer. What may never be asked for is not asked
// under another host either.
func TestUnderRefused(t *testing.T) {
	hangsUp := func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Host, ".invalid") {
			runtime.Goexit() // the connection is closed
		}
	}
	if got, _, err := told(t, hangsUp, "/a", ""); err != nil || got.Status != 200 {
		t.Error(got, err)
	}
	if got, w, err := told(t, hangsUp, "/a", "x12.invalid"); err != nil || got.Status != 0 || len(hostsOf(w)) < 2 {
		t.Error(got, err)
	}
	for _, c := range []struct{ name, target string }{{"an action", "/a?do=delete"}, {"no path", "a"}} {
		t.Run(c.name, func(t *testing.T) {
			if got, w, err := told(t, hangsUp, c.target, "x12.invalid"); err == nil || len(hostsOf(w)) > 0 {
				t.Error(got, err)
			}
		})
	}
	w := newWorld(t, hangsUp)
	w.setRobots("User-agent: *\nDisallow: /")
	f := w.fetcher(fetch.Options{Origin: "http://10.0.0.7", Delay: 1})
	_, err := f.Under(t.Context(), of("www.shop.example", "/a"), "x12.invalid")
	if e, ok := errors.AsType[*fetch.Error](err); !ok || e.Reason != fetch.Robots {
		t.Error(err)
	}
	f = w.fetcher(fetch.Options{Scheme: "http"})
	_, err = f.Under(context.Background(), of("www.shop.example", "/a"), "x12.invalid")
	if e, ok := errors.AsType[*fetch.Error](err); !ok || e.Reason != fetch.NoOrigin {
		t.Error(err)
	}
}
