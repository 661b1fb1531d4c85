package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// from returns a log with its lines assigned to clients in turn.
func from(clients int, log string) string {
	n := 0
	return regexp.MustCompile(`(?m)^192\.0\.2\.1 `).ReplaceAllStringFunc(log, func(string) string {
		n++
		return fmt.Sprintf("192.0.2.%d ", 1+n%clients)
	})
}

// Links with tokens, each requested by one client, are never requested, nor are the URLs
// that rules make from them. The rule is still found, and the number of links left out is
// printed. A log of a single client proves less, and the output says so.
func TestValidateLeavesLinksAlone(t *testing.T) {
	pages := hits(30, "/p%d", "/p%d?sid=7", "/p%d?sid=9")
	tokens := hits(30, "/join/kjhg%04d", "/join/kjhg%04d?sid=7", "/hello/9f3c2b7d81e04a6f%d", "/hello/9f3c2b7d81e04a6f%d?sid=7", "/welcome?code=room%04dab&sid=7", "/welcome?code=room%04dab")
	for clients, want := range map[int]struct{ asked, said []string }{
		40: {nil, []string{
			`dustbuster: 60 of \d+ URLs are never asked for, since they look like secrets, first: /hello/\*\*\*$`,
			`dustbuster: 120 of \d+ URLs are never asked for, since they may be links that only one client was given, first: /join/\*\*\*$`,
			`dustbuster: \d+ pairs of the rules tried were left out for that$`}},
		1: {[]string{"/join/", "/welcome"}, []string{
			`dustbuster: 60 of \d+ URLs are never asked for, since they look like secrets, first: /hello/\*\*\*$`,
			`dustbuster: fewer than 8 clients are in the log, so links given to one client are not recognized: `}},
	} {
		path := filepath.Join(t.TempDir(), "access.log")
		if err := os.WriteFile(path, []byte(from(clients, strings.Repeat(pages, 3)+tokens)), 0o600); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var asked []string
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.RequestURI)
			mu.Unlock()
			q := r.URL.Query()
			writePage(w, r.URL.Path+q.Get("code"))
		}))
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"validate", "--origin", site.URL, "--fetch-delay", "0", path}, nil, &out, &errs)
		site.Close()
		if code != 0 || !regexp.MustCompile(`(?m)^valid .*drop sid`).MatchString(out.String()) {
			t.Errorf("%d clients: ended with %d\n%s%s", clients, code, &out, &errs)
		}
		all := strings.Join(asked, "\n")
		for _, link := range []string{"/join/", "/hello/", "/welcome"} {
			may := strings.Contains(strings.Join(want.asked, " "), link)
			if strings.Contains(all, link) && !may {
				t.Errorf("%d clients: asked for\n%s", clients, all)
			}
		}
		for _, line := range want.said {
			if !regexp.MustCompile(`(?m)^` + line).MatchString(errs.String()) {
				t.Errorf("%d clients: no %s in\n%s", clients, line, &errs)
			}
		}
	}
}

// For several sites the sum is printed.
func TestPrivateOfSites(t *testing.T) {
	lines := private(map[string]prober.SiteStatus{
		"b": {Status: lifecycle.Status{Private: lifecycle.Private{URLs: 10, Secret: 3, OneClient: 2, Pairs: 5, Rules: 1, FirstSecret: "/b", FirstOneClient: "/c", FirstRule: "drop b"}}},
		"a": {Status: lifecycle.Status{Private: lifecycle.Private{Alone: true, URLs: 7}}},
		"c": {Status: lifecycle.Status{Private: lifecycle.Private{Alone: true, URLs: 1, Secret: 1, Pairs: 1, FirstSecret: "/x"}}},
	})
	want := []string{"dustbuster: 4 of 18 URLs are never asked for, since they look like secrets, first: /b",
		"dustbuster: 2 of 18 URLs are never asked for, since they may be links that only one client was given, first: /c",
		"dustbuster: 6 pairs of the rules tried were left out for that",
		"dustbuster: rules not tried, since too few of their pairs may be fetched: 1, first: drop b", "dustbuster: " + clientsAlike + ` (2 of 3 sites, such as "a")`}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if lines := private(map[string]prober.SiteStatus{"a": {Status: lifecycle.Status{Private: lifecycle.Private{URLs: 5}}}}); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
}

// The daemon logs the links never requested.
func TestDaemonTellsWhatIsNeverAskedFor(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	d := daemon{log: zap.New(core)}
	d.report(prober.Report{Site: "a", Private: &lifecycle.Private{URLs: 5}})
	d.report(prober.Report{Site: "a", Private: &lifecycle.Private{URLs: 5, Alone: true}})
	d.report(prober.Report{Site: "a", Private: &lifecycle.Private{URLs: 5, OneClient: 2, FirstOneClient: "/x"}})
	all := seen.All()
	if len(all) != 2 || all[0].Level != zap.WarnLevel || all[0].Message != clientsAlike || all[0].ContextMap()["site"] != "a" ||
		all[1].ContextMap()["one_client"] != int64(2) || all[1].ContextMap()["first_one_client"] != "/x" {
		t.Errorf("%v", all)
	}
}
