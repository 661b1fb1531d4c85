package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/cmd/dustbuster/internal/trials"
)

// workshop is a site with stories, and with jobs that a GET starts.
type workshop struct {
	mu    sync.Mutex
	asked []string
}

func (s *workshop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.RequestURI)
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/robots.txt":
		w.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(r.URL.Path, "/story/7"):
		http.Redirect(w, r, "/jobs/"+strings.TrimPrefix(r.URL.Path, "/story/"), http.StatusFound)
	default:
		fmt.Fprint(w, strings.Repeat(r.URL.Path+" ", 40))
	}
}

// log returns a log of stories, read by a number of clients, and of jobs that two
// administrators started. The sizes make both look like duplicates.
func (s *workshop) log(clients int) string {
	var b strings.Builder
	hit := func(client int, target string, page int) {
		fmt.Fprintf(&b, "192.0.2.%d - - [17/May/2015:10:05:03 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", client%clients, target, 40*len(fmt.Sprintf("/story/%d ", page))+page*50)
	}
	for page := 10; page < 80; page++ {
		for client := range min(clients, 40) {
			hit(client, fmt.Sprintf("/story/%d", page), page)
			hit(client, fmt.Sprintf("/story/%d?ref=%d", page, client%5), page)
		}
		hit(page%2, fmt.Sprintf("/jobs/%d", page), page)
		hit(page%2, fmt.Sprintf("/jobs/%d?ref=2", page), page)
	}
	return b.String()
}

// paths returns the paths that were asked for, less robots.txt, and how many were of jobs.
func (s *workshop) paths() (all, jobs int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uri := range s.asked {
		if uri != "/robots.txt" {
			all++
		}
		if strings.HasPrefix(uri, "/jobs/") {
			jobs++
		}
	}
	return all, jobs
}

// What few clients ask for is not fetched, neither by itself nor behind a redirect.
func TestFetchKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		clients int
		args    []string
		jobs    bool
		says    string
	}{
		{"public", 200, nil, false, "URLs are never asked for: fewer than three visitors asked for URLs like them, for example /jobs/10"},
		{"any", 200, []string{"--fetch-kinds", "any"}, true, ""},
		{"one client, any", 1, []string{"--fetch-kinds", "any"}, true, "all lines of the log may be of one visitor: URLs of all kinds are fetched"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &workshop{}
			server := httptest.NewServer(s)
			defer server.Close()
			path := newFile(t, "access.log", s.log(c.clients))
			code, out, errs := program(t.Context(), append([]string{"validate", "--origin", server.URL, "--fetch-delay", "0", path}, c.args...)...)
			all, jobs := s.paths()
			if code != 0 || all < 20 || jobs > 0 != c.jobs || !strings.Contains(errs.String(), c.says) {
				t.Errorf("ended with %d; %d requests, %d of jobs\n%s\n%s", code, all, jobs, out, errs)
			}
			if !c.jobs && !strings.Contains(errs.String(), "unasked, for example ") {
				t.Errorf("no redirect was refused:\n%s", errs)
			}
		})
	}
}

// Where the log names no client, or one, nothing but bare URLs is fetched. The reason, the number of rules
// that wait and the ways out are told once.
func TestFetchKindsOfFewClients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		log  func(string) string
		says string
	}{
		{"one client", func(log string) string { return log }, trials.OneClientBare},
		{"a peer that does not count", func(log string) string { return strings.ReplaceAll(log, "192.0.2.0 ", "unix: ") }, trials.ClientsUnknown},
		{"no client", func(log string) string { return strings.ReplaceAll(log, "192.0.2.0 ", "- ") }, trials.ClientsUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &workshop{}
			server := httptest.NewServer(s)
			defer server.Close()
			path := newFile(t, "access.log", c.log(s.log(1)))
			code, out, errs := program(t.Context(), "validate", "--format", "combined", "--origin", server.URL, "--fetch-delay", "0", path)
			all, _ := s.paths()
			waits := regexp.MustCompile(`(?m)^dustbuster: ` + regexp.QuoteMeta(c.says) + ` \([1-9]\d* rules? waits?\)$`)
			if code != 0 || all > 0 || len(waits.FindAllString(errs.String(), -1)) != 1 || strings.Contains(errs.String(), trials.ClientsAlike) {
				t.Errorf("ended with %d; %d requests\n%s\n%s", code, all, out, errs)
			}
		})
	}
}

// Behind a proxy that hides the clients, the daemon fetches nothing but bare URLs, and says
// why.
func TestDaemonBehindProxy(t *testing.T) {
	t.Parallel()
	s := &workshop{}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	must(t, os.WriteFile(path, []byte(s.log(1)), 0o600))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	errs := &output{}
	go func() {
		for ctx.Err() == nil && !strings.Contains(errs.String(), trials.OneClientBare) {
			time.Sleep(20 * time.Millisecond)
		}
		stop()
	}()
	var out bytes.Buffer
	code := run(ctx, []string{"run", "--tail", path, "--state", filepath.Join(dir, "state"), "--window", "0", "--refine-interval", "100ms",
		"--admin-listen", "", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0"}, nil, &out, errs)
	if all, _ := s.paths(); code != 0 || all > 0 || !strings.Contains(errs.String(), trials.OneClientBare) {
		t.Errorf("ended with %d; %d requests\n%s", code, all, errs.String())
	}
}
