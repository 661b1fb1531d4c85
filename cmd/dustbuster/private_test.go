package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
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
	for _, want := range []struct {
		clients     int
		asked, said []string
	}{
		{40, nil, []string{
			`dustbuster: 60 of \d+ URLs are never asked for: they look like secrets, for example /hello/\*\*\*$`,
			`dustbuster: 120 of \d+ URLs are never asked for: they may be links given to one visitor, for example /join/\*\*\*$`,
			`dustbuster: tests skip \d+ pairs for that reason$`}},
		{1, []string{"/join/", "/welcome"}, []string{
			`dustbuster: 60 of \d+ URLs are never asked for: they look like secrets, for example /hello/\*\*\*$`,
			`dustbuster: the log has fewer than 8 visitors, so links given to one visitor cannot be recognized: `}},
	} {
		path := newFile(t, "access.log", from(want.clients, strings.Repeat(pages, 3)+tokens))
		var mu sync.Mutex
		var asked []string
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.RequestURI)
			mu.Unlock()
			q := r.URL.Query()
			writePage(w, r.URL.Path+q.Get("code"))
		}))
		code, out, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "0", path)
		site.Close()
		if code != 0 || !regexp.MustCompile(`Confirmed: \d+ rules?\n(?:.*\n)*?  \d+  ignore the parameter sid`).MatchString(out.String()) {
			t.Errorf("%d clients: ended with %d\n%s%s", want.clients, code, out, errs)
		}
		all := strings.Join(asked, "\n")
		for _, link := range []string{"/join/", "/hello/", "/welcome"} {
			may := strings.Contains(strings.Join(want.asked, " "), link)
			if strings.Contains(all, link) && !may {
				t.Errorf("%d clients: asked for\n%s", want.clients, all)
			}
		}
		for _, line := range want.said {
			if !regexp.MustCompile(`(?m)^` + line).MatchString(errs.String()) {
				t.Errorf("%d clients: no %s in\n%s", want.clients, line, errs)
			}
		}
	}
}
