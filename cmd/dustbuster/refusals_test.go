package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// The output gives the reasons for which pairs came to nothing, with an example and a
// remedy.
func TestValidateSaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	if err := os.WriteFile(path, []byte(hits(40, "/p%d", "/p%d?sid=7", "/p%d?sid=9")), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, answer := range map[string]http.HandlerFunc{
		"× status 403, first: http://": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no robots", http.StatusForbidden) },
		"× other_page, first: /p":      func(w http.ResponseWriter, _ *http.Request) { writePage(w, "login, by number 300") },
		"× loop, first: fetch": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+r.Host+r.RequestURI, http.StatusMovedPermanently)
		},
	} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			answer(w, r)
		}))
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"validate", "--origin", site.URL, "--fetch-delay", "0", path}, nil, &out, &errs)
		site.Close()
		if code != 0 || strings.Contains(out.String(), "valid ") || strings.Count(errs.String(), want) != 1 || strings.Count(errs.String(), "×") != 1 {
			t.Errorf("%s: ended with %d\n%s%s", want, code, &out, &errs)
		}
	}
}

// URLs that look like actions, and URLs excluded in the settings, are never requested. They
// are counted and shown with an example.
func TestValidateNeverFetches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	log := hits(20, "/p%d", "/p%d?sid=7") + hits(20, "/p%d/eliminar", "/p%d/eliminar?sid=7") + hits(20, "/own/%d", "/own/%d?sid=7") + hits(20, "/place/%d", "/place/%d?sid=7")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.RequestURI)
		mu.Unlock()
		writePage(w, r.URL.Path)
	}))
	defer site.Close()
	var out, errs bytes.Buffer
	args := []string{"validate", "--origin", site.URL, "--fetch-delay", "0", "--never-fetch-path", "/own/", "--never-fetch-path", "*nowhere", "--never-fetch", "standard,-place", path}
	if code := run(t.Context(), args, nil, &out, &errs); code != 0 {
		t.Fatalf("ended with %d\n%s", code, &errs)
	}
	all := strings.Join(asked, "\n")
	if strings.Contains(all, "eliminar") || strings.Contains(all, "/own/") || !strings.Contains(all, "/place/") {
		t.Errorf("asked for\n%s", all)
	}
	for _, want := range []string{`\d+ × action, first: fetch "/p\d+/eliminar.*; .*--never-fetch`, `\d+ × pattern, first: fetch "/own/\d+.*; --never-fetch-path`} {
		if !regexp.MustCompile(want).MatchString(errs.String()) {
			t.Errorf("no %s in\n%s", want, &errs)
		}
	}
}

// If a server wishes a long rest, validate waits and reports each wait. Short waits are
// reported once.
func TestRefusals(t *testing.T) {
	var r refusals
	for _, held := range []time.Duration{time.Second, 2 * time.Hour, time.Second, 2 * time.Hour} {
		r.fetched(fetch.Event{Kind: fetch.Requested, URL: "http://example.org/a", Status: 503, Held: held})
	}
	r.fetched(fetch.Event{Kind: fetch.Requested, URL: "http://example.org/robots.txt", Status: 404})
	r.fetched(fetch.Event{Kind: fetch.Refused, Reason: fetch.Robots, Err: &fetch.Error{Reason: fetch.Robots, Target: "/a", Err: errors.New("forbidden")}})
	r.fetched(fetch.Event{Kind: fetch.Refused, Reason: fetch.Cancelled, Err: errors.New("interrupted")})
	r.fetched(fetch.Event{Kind: fetch.Rested, URL: "http://example.org/b", Status: 429, Row: 5, Held: time.Hour})
	r.fetched(fetch.Event{Kind: fetch.Slowed, URL: "http://example.org/c", Took: time.Second, Delay: 2 * time.Second})
	r.fetched(fetch.Event{Kind: fetch.Recovered, URL: "http://example.org/d", Took: 300 * time.Millisecond, Delay: time.Second})
	news := strings.Join(r.take(), "\n")
	for _, want := range []string{"5 answers 429 or 503 in a row, at last 429 at http://example.org/b: the site rests for 1h0m0s",
		"answers take longer than at first, about 1s now, as at http://example.org/c: requests come at 2s",
		"answers take about as long as at first again, 300ms"} {
		if strings.Count(news, want) != 1 {
			t.Errorf("not %q in %s", want, news)
		}
	}
	if strings.Count(news, "status 503 at http://example.org/a: ") != 3 || strings.Count(news, "2h0m0s") != 2 || len(r.take()) != 0 {
		t.Error(news)
	}
	sum := r.sum()
	if len(sum) != 2 || !strings.Contains(sum[0], "1 × robots, first: fetch") || !strings.Contains(sum[0], "User-agent: dustbuster") ||
		!strings.Contains(sum[1], "4 × status 503, first: http://example.org/a") {
		t.Errorf("%q", sum)
	}
}

// The daemon logs a reason that keeps pairs from being tried at ten times, a hundred, and
// so on. Missing pages are not logged, since a missing page is an answer.
func TestDaemonWarnsOfRefusals(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	d := daemon{log: zap.New(core)}
	d.refused.often = d.warnRefused
	for range 250 {
		d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/a", Status: 403})
		d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/b", Status: 404})
		d.report(prober.Report{Site: "a", Tested: &prober.Tested{Outcome: "skip", Reason: "everywhere"}})
	}
	d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/c", Status: 503, Held: time.Hour})
	for range 10 {
		d.traceFetch(fetch.Event{Kind: fetch.Refused, Site: "a", Reason: fetch.Action, Err: errors.New("/delete/9f3c2b7d81e04a6f")})
	}
	for range 10 { // a trial that is strict at first may cease to be
		d.report(prober.Report{Site: "a", Tested: &prober.Tested{Outcome: "skip", Reason: "static"}})
	}
	var got []string
	for _, e := range seen.All() {
		got = append(got, fmt.Sprint(e.Level, " ", e.ContextMap()["what"], " ", e.ContextMap()["times"]))
	}
	want := []string{"warn status 403 10", "warn everywhere 10", "warn status 403 100", "warn everywhere 100", "info <nil> <nil>", "warn action 1", "warn action 10", "info static 10"}
	if !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
	if first := seen.All()[len(want)-2].ContextMap()["first"]; first != "/delete/***" {
		t.Errorf("the example is %v", first)
	}
}
